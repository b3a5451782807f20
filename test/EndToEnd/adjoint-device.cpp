// Adjoints of host functions for the memory of a device: made, translated for
// the CPU, where every kernel of them runs thread by thread, and compared with
// differences of the source as those for the CPU are.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --function=smooth --function=energy --function=softmax --function=newton --function=recur --function=first --function=maybe --function=walk --function=power --function=eliminate --function=rows --function=calls --function=table --function=twice --function=down --function=wraps --function=members %S/adjoint.cpp -o %t/adjoint.cpp -- -std=c++17
// RUN: %clang_raise grad --target=cuda --function=smooth --function=energy --function=recur --function=maybe --function=power --function=eliminate --function=calls --function=twice --function=members %S/adjoint.cpp -o %t/device.cu -- -std=c++17
// RUN: %if nvcc %{ nvcc -arch=sm_80 -Werror all-warnings -c %t/device.cu -o %t/device.o %}
// RUN: %clang_raise rewrite %t/device.cu -o %t/device.cpp --
// RUN: sed -i -E 's/^void (smooth|energy|recur|maybe|power|eliminate|calls|twice|members)_adjoint\(/void \1_adjoint_unused(/' %t/adjoint.cpp
// RUN: %clangxx -std=c++17 -O1 -fopenmp -ffp-contract=off -Wno-unused-function -DCHECK -I%runtime -I%t %S/adjoint.cpp %t/adjoint.cpp %t/device.cpp -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=4 %t/run
