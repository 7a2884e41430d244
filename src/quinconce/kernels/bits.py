"""Tricks with the bits of a word that all kernels share."""

from __future__ import annotations

from typing import Final

from quinconce.kernels.compiled import compiled_or

# A word of compiled code has 64 bits, and the first of them is its sign. A number of plain Python
# has as many bits as it needs: there, what could grow beyond a word is cut down to one.
WORD_BITS: Final = (1 << 64) - 1
SIGN_BIT: Final = 1 << 63


def plain_signed(word: int) -> int:
    """The word that is left of a number."""
    return (word & WORD_BITS ^ SIGN_BIT) - SIGN_BIT


def plain_unsigned(word: int) -> int:
    """The same word without its sign, so that no bit is left of it."""
    return word & WORD_BITS


def plain_popcount(word: int) -> int:
    """How many bits of a word are set."""
    return (word & WORD_BITS).bit_count()


def plain_mix64(word: int) -> int:
    """The bits of a word stirred, those cut off that it has not in compiled code."""
    word &= WORD_BITS
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD_BITS
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD_BITS
    return ((word ^ word >> 31) ^ SIGN_BIT) - SIGN_BIT


@compiled_or(plain_signed)
def signed(word: int) -> int:
    """A word as compiled code has it."""
    return word


@compiled_or(plain_unsigned)
def unsigned(word: int) -> int:
    """A word to be shifted: without its sign in plain Python."""
    return word


@compiled_or(plain_mix64)
def mix64(word: int) -> int:
    """The bits of a word stirred: every bit of it changes about half of the result's."""
    word = (word ^ ((word >> 30) & 0x3FFFFFFFF)) * -0x40A7B892E31B1A47
    word = (word ^ ((word >> 27) & 0x1FFFFFFFFF)) * -0x6B2FB644ECCEEE15
    return word ^ ((word >> 31) & 0x1FFFFFFFF)


@compiled_or(plain_popcount)
def popcount(word: int) -> int:
    """How many bits of a word are set."""
    word = word - ((word >> 1) & 0x5555555555555555)
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((word * 0x0101010101010101) >> 56) & 0xFF
