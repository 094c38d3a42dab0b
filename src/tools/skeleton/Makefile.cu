# GNU make, 4.3 or newer.  `make check` tests the kernel, builds the program and runs it.
PATC = patc
NVCC = nvcc
NVCCFLAGS = -O3 -arch=native
@name@: main.cu @name@.cu @name@.h
	$(NVCC) $(NVCCFLAGS) -o $@ main.cu @name@.cu
@name@.cu @name@.h &: @name@.pat $(shell command -v $(PATC)) ; $(PATC) -target=cuda -o @name@.cu --header=@name@.h --depfile=@name@.cu.d $<
-include @name@.cu.d

check: @name@
	$(PATC) test @name@.pat
	./@name@
clean:
	rm -f @name@ @name@.cu @name@.h @name@.cu.d
.PHONY: check clean
