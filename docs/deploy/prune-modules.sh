# Removes from node_modules what the server does not read: for the image only, because npm would put it back. Run in the package's directory.
set -eu
cd node_modules
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# Query compilers for databases that orch does not use, and the forms of the used ones that it does not load.
find @prisma/client/runtime -type f -name 'query_compiler_*' \
  ! -name 'query_compiler_fast_bg.sqlite.mjs' ! -name 'query_compiler_fast_bg.sqlite.wasm-base64.mjs' \
  ! -name 'query_compiler_fast_bg.postgresql.mjs' ! -name 'query_compiler_fast_bg.postgresql.wasm-base64.mjs' -delete
rm -f @prisma/client/runtime/wasm-compiler-edge.*
# The native module for other platforms, and its sources.
rm -rf better-sqlite3/deps better-sqlite3/src better-sqlite3/binding.gyp
find better-sqlite3/prebuilds -type f ! -name 'linux-*' -delete
# The documentation page uses two files.
find swagger-ui-dist -type f ! -name 'swagger-ui-bundle.js*' ! -name 'swagger-ui.css' ! -name package.json ! -name 'LICENSE' ! -name NOTICE -delete
# Tables of tokens: orch counts without them.
rm -rf js-tiktoken/dist/ranks js-tiktoken/dist/index.*
