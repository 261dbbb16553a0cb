# The front door. `make play` and `make test` need nothing but git, make and a compiler on a fresh
# Debian 12 or 13: they install what is missing, say what, and go on. The building itself is Meson's.

.PHONY: all play test coverage elsewhere bench soak bench-web lighthouse screens film print served python install dist deb api wasm web format clean

# A source archive (`make dist`) has the client in it, built.
client := $(if $(wildcard client/index.html),client,build/web)

all: build/build.ninja
	@ninja -C build

# The game in the browser: the server with the client inside, until it is stopped (Ctrl-C). It prints its address, and
# where there is a screen it opens a browser.
play: served
	@exec build/gral serve --open $(addprefix --print ,$(firstword $(wildcard build/print print)))

served: web build/build.ninja
	@meson configure build -Dclient=$(CURDIR)/$(client)
	@ninja -C build gral

# Everything, with the client inside: make install prefix=/usr DESTDIR=/tmp/gral. Options of Meson (meson configure build
# -Dpython=true) are kept.
install: served
	@meson configure build $(if $(prefix),-Dprefix=$(prefix)) -Dprint=$(wildcard $(CURDIR)/build/print)
	@ninja -C build
	@DESTDIR=$(DESTDIR) meson install -C build --no-rebuild

# The module for Python, with Debian's: docs/research.md says how to use it.
python: build/build.ninja
	@tools/setup python
	@meson configure build -Dpython=true
	@ninja -C build

# The source archive, which needs neither npm nor a network to build; tools/dist --twice shows that it is reproducible.
dist: print
	@tools/dist

# Packages for the Debian it runs on, into build/deb; tools/try-deb tries them on bare Debian 12 and 13.
deb: dist
	@tools/setup deb
	@tools/deb

# The reference of libgral, as pages: build/api/html/index.html.
api:
	@tools/setup api
	@mkdir -p build/api
	@doxygen tools/Doxyfile

test:
	@tools/setup test
	@tools/test

# What the native tests run of src/, by file and by module; COVERAGE='host fair' for some tests.
coverage:
	@tools/setup coverage
	@tools/coverage $(COVERAGE)

# With clang, with musl, and for another processor; ELSEWHERE=musl for one of them.
elsewhere:
	@tools/setup elsewhere
	@tools/elsewhere $(ELSEWHERE)

bench: all wasm
	@build/gral bench engine
	@echo
	@build/gral bench players

# An hour of honest people and their enemies at one server; SOAK='--minutes 5' for less.
soak: all
	@tools/soak $(SOAK)

# The same of the browser client, in Chromium; and what Lighthouse says of it, which brings 185 MB of its own.
bench-web: served
	@tools/setup test
	@cd web && ../tools/with-node node bench/figures.mjs

lighthouse: served
	@tools/setup test
	@cd web/bench && ../../tools/with-node npm ci --silent && ../../tools/with-node node lighthouse.mjs

# The pictures of docs/screens, taken anew.
screens: served
	@tools/setup test
	@cd web && ../tools/with-node node tools/screens.mjs

# The film of a dispute.
film: web
	@tools/setup test
	@cd web && ../tools/with-node node tools/film.mjs

# All that a table needs on paper, as PDFs in build/print.
print: web
	@tools/setup test
	@cd web && ../tools/with-node node tools/print.mjs

wasm: build/wasm/build.ninja
	@ninja -C build/wasm web/engine/gral.wasm

# The browser client, a folder that any web host can serve; built anew when something in it has changed.
ifeq ($(client),client)
web:
else
web:
	@tools/setup web
	@$(MAKE) --no-print-directory wasm
	@$(MAKE) --no-print-directory build/web/index.html

build/web/index.html: build/wasm/web/engine/gral.wasm \
		$(shell find web po -name node_modules -prune -o -type f -print)
	@cd web && ../tools/with-node npm run --silent build

build/wasm/web/engine/gral.wasm:
	@$(MAKE) --no-print-directory wasm
endif

format:
	@tools/setup test
	@clang-format -i $$(git ls-files '*.c' '*.h')
	@cd web && ../tools/with-node npm run --silent format

clean:
	rm -rf build

build/build.ninja:
	@tools/setup build
	@meson setup build

build/wasm/build.ninja:
	@tools/setup wasm
	@meson setup build/wasm --cross-file web/engine/wasm32.ini
