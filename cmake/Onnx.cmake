# Finds libonnx's protobuf classes and defines the target faultline_onnx; FAULTLINE_ONNX says whether it
# exists. Without it `faultline export` has no ONNX, and no bundles.
find_package(Protobuf QUIET)
find_path(FAULTLINE_ONNX_INCLUDE onnx/onnx_pb.h)
find_library(FAULTLINE_ONNX_LIBRARY onnx_proto)
mark_as_advanced(FAULTLINE_ONNX_INCLUDE FAULTLINE_ONNX_LIBRARY)
if(Protobuf_FOUND AND FAULTLINE_ONNX_INCLUDE AND FAULTLINE_ONNX_LIBRARY)
  set(FAULTLINE_ONNX ON)
  add_library(faultline_onnx INTERFACE)
  target_include_directories(faultline_onnx SYSTEM INTERFACE ${FAULTLINE_ONNX_INCLUDE})
  # Debian builds libonnx with the operators of ONNX-ML; its header asks to be told.
  target_compile_definitions(faultline_onnx INTERFACE ONNX_ML=1 ONNX_NAMESPACE=onnx)
  target_link_libraries(faultline_onnx INTERFACE ${FAULTLINE_ONNX_LIBRARY} protobuf::libprotobuf)
  message(STATUS "libonnx (${FAULTLINE_ONNX_LIBRARY})")
else()
  set(FAULTLINE_ONNX OFF)
  message(STATUS "libonnx was not found: no export to ONNX")
endif()
