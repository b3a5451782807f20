// Adjoints of kernels as kernels: made, translated for the CPU, where every
// kernel of them runs thread by thread, and compared with differences of the
// source as those for the CPU are.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %S/adjoint-kernels.cu -o %t/kernels.cpp --
// RUN: %clang_raise grad --target=cuda --function=square --function=sumsq --function=many --function=matmul --function=vectors --function=stride --function=histogram --function=optional --function=pool %S/adjoint-kernels.cu -o %t/device.cu --
// RUN: %clang_raise grad --function=square --function=sumsq --function=many --function=matmul --function=vectors --function=stride --function=leaves --function=histogram --function=optional --function=pool %S/adjoint-kernels.cu -o %t/adjoint.cpp --
// RUN: %if nvcc %{ nvcc -arch=sm_80 -Werror all-warnings -c %t/device.cu -o %t/device.o %}
// RUN: %clang_raise rewrite %t/device.cu -o %t/device.cpp --
// RUN: sed -i '/^void [a-z]*_adjoint(/{/leaves/!s/_adjoint(/_adjoint_unused(/}' %t/adjoint.cpp
// RUN: %clangxx -std=c++17 -O1 -fopenmp -ffp-contract=off -Wno-unused-function -I%runtime -I%t %S/Inputs/adjoint-kernels-main.cpp %t/kernels.cpp %t/adjoint.cpp %t/device.cpp -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=4 %t/run
