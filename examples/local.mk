EXTRA_DIST += \
	%D%/heat/heat.pat %D%/heat/main.c %D%/heat/platform.h %D%/heat/Makefile \
	%D%/heat/input.png %D%/heat/draw.py
