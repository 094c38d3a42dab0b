# GNU make, 4.3 or newer.  `make check` tests the kernel, builds the program and runs it.
PATC = patc
CFLAGS = -O3 -fopenmp
@name@: main.o @name@.o
	$(CC) $(CFLAGS) -o $@ $^ -lm
main.o: @name@.h
@name@.c @name@.h &: @name@.pat $(shell command -v $(PATC)) ; $(PATC) -target=cpu -o @name@.c --header=@name@.h --depfile=@name@.c.d $<
-include @name@.c.d

check: @name@
	$(PATC) test @name@.pat
	./@name@
clean:
	rm -f @name@ main.o @name@.o @name@.c @name@.h @name@.c.d
.PHONY: check clean
