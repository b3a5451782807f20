#pragma once
template <class T> struct Couple {
  T re, im;
};
