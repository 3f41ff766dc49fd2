# Where `cmake --install` puts things, relative to the prefix. Headers and package files are in folders
# with the version, so that several can be installed side by side.
include(GNUInstallDirs)
set(FAULTLINE_VERSIONED faultline-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(FAULTLINE_INSTALL_HEADERS ${CMAKE_INSTALL_INCLUDEDIR}/${FAULTLINE_VERSIONED})
set(FAULTLINE_INSTALL_ARCHIVES ${CMAKE_INSTALL_LIBDIR}/${FAULTLINE_VERSIONED})
set(FAULTLINE_INSTALL_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/${FAULTLINE_VERSIONED})
