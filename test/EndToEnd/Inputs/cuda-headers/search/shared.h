#pragma once
enum { Shift = 3 };
