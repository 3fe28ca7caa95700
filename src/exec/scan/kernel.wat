;; Looks through columns, sixteen values or bytes a turn, and writes what is found as a list of positions.
;;
;; Each function takes $n as a multiple of 16: what lies behind the end of the column is looked at too, and what is found
;; there comes last. Each returns the address behind the list, which begins at $out. Addresses are aligned to a byte:
;; rows lie where they lie.
;;
;; Memory begins with a table that the caller fills: for each mask of eight bits the positions of its bits, eight places
;; of 16 bits each.
(module
  (memory (export "memory") 1)

  ;; Of $n 32-bit integers those with $low ≤ x ≤ $high, at most 65,536 of them; the k-th is written as k, in 16 bits. Of
  ;; eight values the positions of those that are found are taken from the table by which they are, and eight places are
  ;; written always: there is no jump that has to be guessed.
  (func (export "integersWithin") (param $from i32) (param $n i32) (param $low i32) (param $high i32) (param $out i32) (result i32)
    (local $mask i32) (local $lows v128) (local $highs v128) (local $positions v128) (local $eights v128)
    (local.set $lows (i32x4.splat (local.get $low)))
    (local.set $highs (i32x4.splat (local.get $high)))
    (local.set $eights (i16x8.splat (i32.const 8)))
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $mask
          (i16x8.bitmask
            (i16x8.narrow_i32x4_s
              (v128.and
                (i32x4.ge_s (v128.load align=1 (local.get $from)) (local.get $lows))
                (i32x4.le_s (v128.load align=1 (local.get $from)) (local.get $highs)))
              (v128.and
                (i32x4.ge_s (v128.load offset=16 align=1 (local.get $from)) (local.get $lows))
                (i32x4.le_s (v128.load offset=16 align=1 (local.get $from)) (local.get $highs))))))
        (v128.store align=1
          (local.get $out)
          (i16x8.add (v128.load align=1 (i32.shl (local.get $mask) (i32.const 4))) (local.get $positions)))
        (local.set $out (i32.add (local.get $out) (i32.shl (i32.popcnt (local.get $mask)) (i32.const 1))))
        (local.set $positions (i16x8.add (local.get $positions) (local.get $eights)))
        (local.set $mask
          (i16x8.bitmask
            (i16x8.narrow_i32x4_s
              (v128.and
                (i32x4.ge_s (v128.load offset=32 align=1 (local.get $from)) (local.get $lows))
                (i32x4.le_s (v128.load offset=32 align=1 (local.get $from)) (local.get $highs)))
              (v128.and
                (i32x4.ge_s (v128.load offset=48 align=1 (local.get $from)) (local.get $lows))
                (i32x4.le_s (v128.load offset=48 align=1 (local.get $from)) (local.get $highs))))))
        (v128.store align=1
          (local.get $out)
          (i16x8.add (v128.load align=1 (i32.shl (local.get $mask) (i32.const 4))) (local.get $positions)))
        (local.set $out (i32.add (local.get $out) (i32.shl (i32.popcnt (local.get $mask)) (i32.const 1))))
        (local.set $positions (i16x8.add (local.get $positions) (local.get $eights)))
        (local.set $from (i32.add (local.get $from) (i32.const 64)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 16))))))
    (local.get $out))

  ;; The same of doubles: of four pairs the bits of each are put together.
  (func (export "numbersWithin") (param $from i32) (param $n i32) (param $low f64) (param $high f64) (param $out i32) (result i32)
    (local $mask i32) (local $lows v128) (local $highs v128) (local $positions v128) (local $eights v128)
    (local.set $lows (f64x2.splat (local.get $low)))
    (local.set $highs (f64x2.splat (local.get $high)))
    (local.set $eights (i16x8.splat (i32.const 8)))
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $mask
          (i32.or
            (i32.or
              (i32.or
                (i64x2.bitmask
                  (v128.and
                    (f64x2.ge (v128.load align=1 (local.get $from)) (local.get $lows))
                    (f64x2.le (v128.load align=1 (local.get $from)) (local.get $highs))))
                (i32.shl
                  (i64x2.bitmask
                    (v128.and
                      (f64x2.ge (v128.load offset=16 align=1 (local.get $from)) (local.get $lows))
                      (f64x2.le (v128.load offset=16 align=1 (local.get $from)) (local.get $highs))))
                  (i32.const 2)))
              (i32.shl
                (i64x2.bitmask
                  (v128.and
                    (f64x2.ge (v128.load offset=32 align=1 (local.get $from)) (local.get $lows))
                    (f64x2.le (v128.load offset=32 align=1 (local.get $from)) (local.get $highs))))
                (i32.const 4)))
            (i32.shl
              (i64x2.bitmask
                (v128.and
                  (f64x2.ge (v128.load offset=48 align=1 (local.get $from)) (local.get $lows))
                  (f64x2.le (v128.load offset=48 align=1 (local.get $from)) (local.get $highs))))
              (i32.const 6))))
        (v128.store align=1
          (local.get $out)
          (i16x8.add (v128.load align=1 (i32.shl (local.get $mask) (i32.const 4))) (local.get $positions)))
        (local.set $out (i32.add (local.get $out) (i32.shl (i32.popcnt (local.get $mask)) (i32.const 1))))
        (local.set $positions (i16x8.add (local.get $positions) (local.get $eights)))
        (local.set $mask
          (i32.or
            (i32.or
              (i32.or
                (i64x2.bitmask
                  (v128.and
                    (f64x2.ge (v128.load offset=64 align=1 (local.get $from)) (local.get $lows))
                    (f64x2.le (v128.load offset=64 align=1 (local.get $from)) (local.get $highs))))
                (i32.shl
                  (i64x2.bitmask
                    (v128.and
                      (f64x2.ge (v128.load offset=80 align=1 (local.get $from)) (local.get $lows))
                      (f64x2.le (v128.load offset=80 align=1 (local.get $from)) (local.get $highs))))
                  (i32.const 2)))
              (i32.shl
                (i64x2.bitmask
                  (v128.and
                    (f64x2.ge (v128.load offset=96 align=1 (local.get $from)) (local.get $lows))
                    (f64x2.le (v128.load offset=96 align=1 (local.get $from)) (local.get $highs))))
                (i32.const 4)))
            (i32.shl
              (i64x2.bitmask
                (v128.and
                  (f64x2.ge (v128.load offset=112 align=1 (local.get $from)) (local.get $lows))
                  (f64x2.le (v128.load offset=112 align=1 (local.get $from)) (local.get $highs))))
              (i32.const 6))))
        (v128.store align=1
          (local.get $out)
          (i16x8.add (v128.load align=1 (i32.shl (local.get $mask) (i32.const 4))) (local.get $positions)))
        (local.set $out (i32.add (local.get $out) (i32.shl (i32.popcnt (local.get $mask)) (i32.const 1))))
        (local.set $positions (i16x8.add (local.get $positions) (local.get $eights)))
        (local.set $from (i32.add (local.get $from) (i32.const 128)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 16))))))
    (local.get $out))

  ;; The addresses in [$from, $from + $n) where $length bytes equal those at $wanted. Where the bytes at $i and $j of it do
  ;; not agree, the others are not looked at, so they should be rare ones.
  (func (export "find") (param $from i32) (param $n i32) (param $wanted i32) (param $length i32)
    (param $i i32) (param $j i32) (param $out i32) (result i32)
    (local $mask i32) (local $at i32) (local $left i32) (local $byte_i v128) (local $byte_j v128)
    (local.set $byte_i (i8x16.splat (i32.load8_u (i32.add (local.get $wanted) (local.get $i)))))
    (local.set $byte_j (i8x16.splat (i32.load8_u (i32.add (local.get $wanted) (local.get $j)))))
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $mask
          (i8x16.bitmask
            (v128.and
              (i8x16.eq (v128.load align=1 (i32.add (local.get $from) (local.get $i))) (local.get $byte_i))
              (i8x16.eq (v128.load align=1 (i32.add (local.get $from) (local.get $j))) (local.get $byte_j)))))
        (block $none
          (br_if $none (i32.eqz (local.get $mask)))
          (loop $candidate
            (local.set $at (i32.add (local.get $from) (i32.ctz (local.get $mask))))
            (local.set $left (local.get $length))
            (block $differs
              (block $agree
                (loop $compare
                  (br_if $agree (i32.eqz (local.get $left)))
                  (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                  (br_if $compare
                    (i32.eq
                      (i32.load8_u (i32.add (local.get $at) (local.get $left)))
                      (i32.load8_u (i32.add (local.get $wanted) (local.get $left))))))
                (br $differs))
              (i32.store (local.get $out) (local.get $at))
              (local.set $out (i32.add (local.get $out) (i32.const 4))))
            (br_if $candidate (local.tee $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1)))))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 16))))))
    (local.get $out)))
