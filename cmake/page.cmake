# reveal_embed_page(TARGET SOURCE) builds the pages' scripts and styles from web/ and lets SOURCE, one of
# TARGET's files, hold them (src/page/assets.h). Where esbuild or uPlot is missing it holds none.
function(reveal_embed_page target source)
  find_program(ESBUILD esbuild)
  set(node_modules ${PROJECT_SOURCE_DIR}/build/deps/node_modules)
  set(built ${CMAKE_BINARY_DIR}/page)
  if(ESBUILD AND EXISTS ${node_modules}/uplot/dist/uPlot.esm.js)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    file(GLOB_RECURSE packages ${node_modules}/uplot/*)
    set(script ${built}/page.js)
    set(style ${built}/page.css)
    set(live_script ${built}/live.js)
    set(live_style ${built}/live.css)
    add_custom_command(
      OUTPUT ${script} ${style} ${live_script} ${live_style}
      COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${node_modules}
              ${PROJECT_SOURCE_DIR}/tools/build_page.sh ${built}
      DEPENDS ${PROJECT_SOURCE_DIR}/tools/build_page.sh ${sources} ${packages}
      COMMENT "Building the pages"
      VERBATIM)
    target_sources(${target} PRIVATE ${script} ${style} ${live_script} ${live_style})
  else()
    message(NOTICE "No report.html: esbuild or uPlot is missing; `make deps-page` gets them")
    set(script ${built}/none.js)
    set(style ${built}/none.css)
    set(live_script ${script})
    set(live_style ${style})
    file(WRITE ${script} "")
    file(WRITE ${style} "")
  endif()
  set_source_files_properties(${source} PROPERTIES
    OBJECT_DEPENDS "${script};${style};${live_script};${live_style}"
    COMPILE_DEFINITIONS "REVEAL_PAGE_SCRIPT=\"${script}\";REVEAL_PAGE_STYLE=\"${style}\";REVEAL_LIVE_SCRIPT=\"${live_script}\";REVEAL_LIVE_STYLE=\"${live_style}\"")
endfunction()
