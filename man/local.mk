dist_man_MANS = %D%/patc.1 %D%/patc-run.1 %D%/patc-test.1 %D%/patc-bench.1 %D%/patc-tune.1 %D%/patc-fmt.1 %D%/patc-lsp.1 %D%/patc-bind.1 %D%/patc-tutorial.7 %D%/patc-from.7 %D%/patc-cookbook.7 %D%/patc-language.7 %D%/patc-patterns.7 %D%/patc-python.7
dist_pkgdata_DATA += %D%/diagnostics.schema.json %D%/bench.schema.json %D%/manifest.schema.json %D%/patc.cmake %D%/patc.bzl
# Where find_package(patc), pkg-config and aclocal look.
cmakeconfigdir = $(datadir)/cmake/patc
dist_cmakeconfig_DATA = %D%/patc-config.cmake
nodist_cmakeconfig_DATA = %D%/patc-config-version.cmake
pkgconfigdir = $(datadir)/pkgconfig
nodist_pkgconfig_DATA = %D%/patc.pc
aclocaldir = $(datadir)/aclocal
dist_aclocal_DATA = %D%/patc.m4
