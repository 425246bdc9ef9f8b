// What the generated code uses: functions that vectorize, rounding to bfloat16, and comparisons that keep NaN.
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

using std::abs, std::ceil, std::cos, std::expm1, std::floor, std::isnan, std::log, std::log1p, std::pow, std::sin, std::sqrt,
    std::tanh, std::trunc;

// exp and erf of a float without tables and branches: they vectorize (on x86 from SSE4.1 on), and results of 0 take no longer.
inline float multiply_add(float a, float b, float c) {
#ifdef FP_FAST_FMAF
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
}

template <class... T> float polynomial(float x, float first, T... others) {  // first + others[0] * x + others[1] * x * x ...
    if constexpr (sizeof...(others) > 0) return multiply_add(polynomial(x, others...), x, first);
    return first;
}

inline float exp(float x) {  // e^r * 2^n * 2^n with |r| < 0.7
    float inside = abs(x) > 176 ? std::copysign(176.0f, x) : x;  // the result is 0 from -176 on, infinite from 176 on
    float n = std::rint(inside * 0.7213475204f);
    float r = multiply_add(n, 4.2438888e-4f, multiply_add(n, -1.38671875f, inside));  // the inner product is exact
    float power = std::bit_cast<float>(uint32_t(int32_t(n) + 127) << 23);  // 2^n, from the bits of its exponent
    return polynomial(r, 1, 1, 0.5000003576f, 0.1666661352f, 4.166126996e-2f, 8.336103521e-3f, 1.410447527e-3f, 1.961159724e-4f)
        * power * power;
}

inline float erf(float x) {  // a ratio of polynomials for |x| < 3.92; from there on, 1 is the nearest float
    float x2 = x * x;
    float p = polynomial(x2, 1.1283791065f, 0.1904072464f, 5.2748825401e-2f, 3.7656503264e-3f, 2.8488351381e-4f, 2.0500817755e-6f);
    float q = polynomial(x2, 1, 0.5020767450f, 0.1141094342f, 1.4969283715e-2f, 1.1625436600e-3f, 3.8091700844e-5f);
    float ratio = x * p / q;
    bool above = (x > 3.92f) | (ratio > 1), below = (x < -3.92f) | (ratio < -1);
    return above ? 1 : below ? -1 : ratio;
}

// A bfloat16 is the upper half of a float.
inline float widen(uint16_t x) { return std::bit_cast<float>(uint32_t(x) << 16); }
inline uint16_t narrow(float x) {  // to the nearest, ties to even
    uint32_t bits = std::bit_cast<uint32_t>(x);
    return x != x ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

template <class T> T maximum(T a, std::type_identity_t<T> b) {  // NaN wins
    T larger = a > b ? a : b;  // b if it is NaN
    return a != a ? a : larger;
}
template <class T> T minimum(T a, std::type_identity_t<T> b) {
    T smaller = a < b ? a : b;
    return a != a ? a : smaller;
}
template <class T> T where(bool condition, T a, T b) { return condition ? a : b; }

template <class T> constexpr T highest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
template <class T> constexpr T lowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

#pragma omp declare reduction(maximum : float, double, int32_t, int64_t : omp_out = maximum(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(minimum : float, double, int32_t, int64_t : omp_out = minimum(omp_out, omp_in)) initializer(omp_priv = omp_orig)
