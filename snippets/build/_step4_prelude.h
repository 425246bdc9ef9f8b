// What the generated code uses: rounding to bfloat16, comparisons that keep NaN, and vector versions of exp and others.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__
#if __GLIBC_PREREQ(2, 35)  // glibc has exp and others for 4 or 8 numbers at a time, but declares them for -ffast-math only
#define VECTOR(name) __attribute__((simd("notinbranch"))) double name(double) noexcept; \
                     __attribute__((simd("notinbranch"))) float name##f(float) noexcept;
extern "C" { VECTOR(exp) VECTOR(expm1) VECTOR(log) VECTOR(log1p) VECTOR(sin) VECTOR(cos) VECTOR(tanh) VECTOR(erf) }
#endif
#endif

using std::abs, std::ceil, std::cos, std::erf, std::exp, std::expm1, std::floor, std::isnan, std::log, std::log1p, std::pow,
    std::sin, std::sqrt, std::tanh, std::trunc;

// A bfloat16 is the upper half of a float.
inline float widen(uint16_t x) { return std::bit_cast<float>(uint32_t(x) << 16); }
inline uint16_t narrow(float x) {  // to the nearest, ties to even
    uint32_t bits = std::bit_cast<uint32_t>(x);
    return x != x ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

template <class T> T maximum(T a, std::type_identity_t<T> b) { return a > b || a != a ? a : b; }  // NaN wins
template <class T> T minimum(T a, std::type_identity_t<T> b) { return a < b || a != a ? a : b; }
template <class T> T where(bool condition, T a, T b) { return condition ? a : b; }

template <class T> constexpr T highest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
template <class T> constexpr T lowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

#pragma omp declare reduction(maximum : float, double, int32_t, int64_t : omp_out = maximum(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(minimum : float, double, int32_t, int64_t : omp_out = minimum(omp_out, omp_in)) initializer(omp_priv = omp_orig)
