# The front door. `make play` and `make test` need nothing but git, make and a compiler on a fresh
# Debian 12: they install what is missing, say what, and go on. The building itself is Meson's.

.PHONY: all play test bench format clean

all: build/build.ninja
	@ninja -C build

play: all
	@build/gral referee

test:
	@tools/setup test
	@tools/test

bench: all
	@build/gral bench engine

format:
	@tools/setup test
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build

build/build.ninja:
	@tools/setup build
	@meson setup build
