// What stands in docs/samples is what the tool writes, and verified.
// RUN: %clang_raise grad --check --verify --function=square %S/../../docs/samples/square.cpp -o %S/../../docs/samples/square_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=relu3 %S/../../docs/samples/relu3.cpp -o %S/../../docs/samples/relu3_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=layernorm %S/../../docs/samples/layernorm.cpp -o %S/../../docs/samples/layernorm_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=matmul %S/../../docs/samples/matmul.cpp -o %S/../../docs/samples/matmul_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=crossentropy %S/../../docs/samples/softmax.cpp -o %S/../../docs/samples/softmax_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=attention %S/../../docs/samples/attention.cpp -o %S/../../docs/samples/attention_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=smooth %S/../../docs/samples/stencil.cpp -o %S/../../docs/samples/stencil_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=normalize %S/../../docs/samples/norm.cpp -o %S/../../docs/samples/norm_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --check --verify --function=lambert %S/../../docs/samples/newton.cpp -o %S/../../docs/samples/newton_adjoint.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// CHECK-NOT: is not what would be written
// CHECK: verification passed
