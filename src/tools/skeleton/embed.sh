#!/bin/sh
# embed.sh FILE... > skeleton.c - the files that `patc new` writes as a C table (struct skeleton_row, new.c).
# A row is named as its file is.  The text for HIP is that for CUDA with the names of HIP.
set -e
LC_ALL=C
export LC_ALL
row() { # NAME, its text on standard input
	printf '{"%s",\n' "$1"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/.*/"&\\n"/'
	echo '},'
}
hipify() {
	sed '/CMAKE_CUDA_ARCHITECTURES/d; s/cuda_runtime/hip\/hip_runtime/; s/cuda/hip/g; s/CUDA/HIP/g; s/nvcc/hipcc/g
		s/NVCC/HIPCC/g; s/\.cu/.hip/g; s/ -arch=native//; s/"-Xcompiler", //' "$1"
}
echo '/* Made by embed.sh from the files of src/tools/skeleton. */'
echo '#include "skeleton.h"'
echo
echo 'const struct skeleton_row skeleton_rows[] = {'
for file; do
	name=${file##*/}
	row "$name" <"$file"
	case $name in
	meson*) ;; # Meson has no language HIP
	*.cu) hipify "$file" | row "${name%.cu}.hip" ;;
	esac
done
echo '{NULL, NULL}'
echo '};'
