;; Scores quantised vectors and trains clusters. Each function takes the dot products of one run of numbers with $count
;; others that lie one after the other, $blocks blocks each, leaves them as 32-bit numbers at $out, and returns the
;; address behind the last.
;;
;; Codes are below 128, so that the relaxed dot product of the instruction set is the same on all processors; floats are
;; multiplied and added in a fixed order.
(module
  (memory (export "memory") 1)

  ;; Codes of 4 bits, 32 in a block of 16 bytes: byte i has component i of the block in its low half and component 16 + i in
  ;; its high half. The query has signed bytes.
  (func (export "nibbles") (param $query i32) (param $codes i32) (param $count i32) (param $blocks i32) (param $out i32) (result i32)
    (local $at i32) (local $left i32) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $mask v128) (local $loaded v128)
    (local.set $mask (i8x16.splat (i32.const 15)))
    (block $none
      (br_if $none (i32.eqz (local.get $count)))
      (loop $row
        (local.set $sum0 (i8x16.splat (i32.const 0)))
        (local.set $sum1 (i8x16.splat (i32.const 0)))
        (local.set $sum2 (i8x16.splat (i32.const 0)))
        (local.set $sum3 (i8x16.splat (i32.const 0)))
        (local.set $at (local.get $query))
        (local.set $left (local.get $blocks))
        (loop $block
          (local.set $loaded (v128.load align=1 (local.get $codes)))
          (local.set $sum0
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (v128.load align=1 (local.get $at))
              (v128.and (local.get $loaded) (local.get $mask))
              (local.get $sum0)))
          (local.set $sum1
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (v128.load offset=16 align=1 (local.get $at))
              (v128.and (i16x8.shr_u (local.get $loaded) (i32.const 4)) (local.get $mask))
              (local.get $sum1)))
          (local.set $codes (i32.add (local.get $codes) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $block (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
        (local.set $loaded (i32x4.add (local.get $sum0) (local.get $sum1)))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $loaded)) (i32x4.extract_lane 1 (local.get $loaded)))
              (i32x4.extract_lane 2 (local.get $loaded)))
            (i32x4.extract_lane 3 (local.get $loaded))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
    (local.get $out))

  ;; Codes of 7 bits, 16 in a block.
  (func (export "bytes") (param $query i32) (param $codes i32) (param $count i32) (param $blocks i32) (param $out i32) (result i32)
    (local $at i32) (local $left i32) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $loaded v128)
    (block $none
      (br_if $none (i32.eqz (local.get $count)))
      (loop $row
        (local.set $sum0 (i8x16.splat (i32.const 0)))
        (local.set $sum1 (i8x16.splat (i32.const 0)))
        (local.set $sum2 (i8x16.splat (i32.const 0)))
        (local.set $sum3 (i8x16.splat (i32.const 0)))
        (local.set $at (local.get $query))
        (local.set $left (local.get $blocks))
        (loop $block
          (local.set $sum0
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (v128.load align=1 (local.get $at))
              (v128.load align=1 (local.get $codes))
              (local.get $sum0)))
          (local.set $codes (i32.add (local.get $codes) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $block (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
        (local.set $loaded (i32x4.add (local.get $sum0) (local.get $sum1)))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $loaded)) (i32x4.extract_lane 1 (local.get $loaded)))
              (i32x4.extract_lane 2 (local.get $loaded)))
            (i32x4.extract_lane 3 (local.get $loaded))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
    (local.get $out))

  ;; 32-bit floats, 16 in a block.
  (func (export "floats") (param $x i32) (param $rows i32) (param $count i32) (param $blocks i32) (param $out i32) (result i32)
    (local $at i32) (local $left i32) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $loaded v128)
    (block $none
      (br_if $none (i32.eqz (local.get $count)))
      (loop $row
        (local.set $sum0 (i8x16.splat (i32.const 0)))
        (local.set $sum1 (i8x16.splat (i32.const 0)))
        (local.set $sum2 (i8x16.splat (i32.const 0)))
        (local.set $sum3 (i8x16.splat (i32.const 0)))
        (local.set $at (local.get $x))
        (local.set $left (local.get $blocks))
        (loop $block
          (local.set $sum0
            (f32x4.add
              (local.get $sum0)
              (f32x4.mul (v128.load align=1 (local.get $at)) (v128.load align=1 (local.get $rows)))))
          (local.set $sum1
            (f32x4.add
              (local.get $sum1)
              (f32x4.mul
                (v128.load offset=16 align=1 (local.get $at))
                (v128.load offset=16 align=1 (local.get $rows)))))
          (local.set $sum2
            (f32x4.add
              (local.get $sum2)
              (f32x4.mul
                (v128.load offset=32 align=1 (local.get $at))
                (v128.load offset=32 align=1 (local.get $rows)))))
          (local.set $sum3
            (f32x4.add
              (local.get $sum3)
              (f32x4.mul
                (v128.load offset=48 align=1 (local.get $at))
                (v128.load offset=48 align=1 (local.get $rows)))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $block (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
        (local.set $loaded
          (f32x4.add (f32x4.add (f32x4.add (local.get $sum0) (local.get $sum1)) (local.get $sum2)) (local.get $sum3)))
        (f32.store
          (local.get $out)
          (f32.add
            (f32.add
              (f32.add (f32x4.extract_lane 0 (local.get $loaded)) (f32x4.extract_lane 1 (local.get $loaded)))
              (f32x4.extract_lane 2 (local.get $loaded)))
            (f32x4.extract_lane 3 (local.get $loaded))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
    (local.get $out)))
