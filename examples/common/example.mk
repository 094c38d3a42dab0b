# example.mk - how an example is built; its Makefile sets NAME, and OBJECTS if it has more of them;
# graph.o, plot.o, wav.o and relabel.o, from relabel.pat, are those of common/.
#
# make              builds build-cpu/NAME for this machine's cores (OpenMP)
# make TARGET=cuda  builds build-cuda/NAME for an NVIDIA GPU
# make TARGET=hip   builds build-hip/NAME for an AMD GPU
# Needs GNU make and libpng.  PATC names the compiler if it is not on the PATH.
PATC ?= patc
TARGET ?= cpu
CFLAGS ?= -O3 -march=native
NVCC ?= $(or $(shell command -v nvcc),/usr/local/cuda/bin/nvcc)
NVCCFLAGS ?= -O3 -arch=native
HIPCC ?= $(or $(shell command -v hipcc),/opt/rocm/bin/hipcc)
HIPFLAGS ?= -O3 --offload-arch=native
OUT := build-$(TARGET)
HOST = $(CC) $(CFLAGS) -std=c11 -D_GNU_SOURCE -Wall -Wextra -I$(OUT) -I../common

ifeq ($(TARGET),cpu)
suffix := c
HOST += -fopenmp
KERNEL = $(HOST)
LINK = $(CC) $(CFLAGS) -fopenmp
else ifeq ($(TARGET),cuda)
suffix := cu
HOST += -DTARGET_CUDA -isystem $(dir $(realpath $(NVCC)))../include
KERNEL = $(NVCC) $(NVCCFLAGS)
LINK = $(NVCC) $(NVCCFLAGS)
else ifeq ($(TARGET),hip)
suffix := hip
HOST += -DTARGET_HIP -D__HIP_PLATFORM_AMD__ -isystem $(dir $(realpath $(HIPCC)))../include
KERNEL = $(HIPCC) $(HIPFLAGS) -x hip
LINK = $(HIPCC) $(HIPFLAGS)
else
$(error TARGET is cpu, cuda or hip)
endif

$(OUT)/$(NAME): $(OUT)/main.o $(OUT)/common.o $(OUT)/kernel.o $(OBJECTS:%=$(OUT)/%)
	$(LINK) -o $@ $^ -lpng -lm
$(OUT)/%.o: %.c ../common/common.h $(OUT)/$(NAME).h
	$(HOST) -c $< -o $@
$(OUT)/common.o: ../common/common.c ../common/common.h $(OUT)/$(NAME).h
	$(HOST) -c $< -o $@
$(OUT)/graph.o $(OUT)/plot.o $(OUT)/wav.o: $(OUT)/%.o: ../common/%.c ../common/%.h ../common/common.h $(OUT)/$(NAME).h
	$(HOST) -c $< -o $@
$(OUT)/relabel.o: $(OUT)/relabel.$(suffix)
	$(KERNEL) -c $< -o $@
$(OUT)/kernel.o: $(OUT)/$(NAME).$(suffix) $(OUT)/$(NAME).h
	$(KERNEL) -c $< -o $@
$(OUT)/%.$(suffix) $(OUT)/%.h: %.pat $(wildcard $(PATC))
	mkdir -p $(OUT)
	$(PATC) -target=$(TARGET) -o $(OUT)/$*.$(suffix) --header=$(OUT)/$*.h \
		--depfile=$(OUT)/$*.d $<
vpath %.pat ../common
-include $(wildcard $(OUT)/*.d)

clean:
	rm -rf $(OUT)
.PHONY: clean
