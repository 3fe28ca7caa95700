;; Compares vectors. Each function walks two runs of numbers, $a and $b, eight a turn, and adds up in double precision:
;; 32-bit components are made doubles first, which is exact, so that it makes no difference whether a run was given as
;; floats or as doubles. $n is a multiple of 8: numbers behind the end of a run must be zero up to there.
;;
;; A turn has four pairs, each with a sum of its own, so that additions need not wait for each other. $a has 32-bit
;; floats (`32`) or doubles (`64`), $b always doubles.
(module
  (memory (export "memory") 1)

  ;; The dot product.
  (func (export "dot32") (param $a i32) (param $b i32) (param $n i32) (result f64)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $pair v128)
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $sum0
          (f64x2.add
            (local.get $sum0)
            (f64x2.mul
              (f64x2.promote_low_f32x4 (v128.load64_zero align=1 (local.get $a)))
              (v128.load align=1 (local.get $b)))))
        (local.set $sum1
          (f64x2.add
            (local.get $sum1)
            (f64x2.mul
              (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 align=1 (local.get $a)))
              (v128.load offset=16 align=1 (local.get $b)))))
        (local.set $sum2
          (f64x2.add
            (local.get $sum2)
            (f64x2.mul
              (f64x2.promote_low_f32x4 (v128.load64_zero offset=16 align=1 (local.get $a)))
              (v128.load offset=32 align=1 (local.get $b)))))
        (local.set $sum3
          (f64x2.add
            (local.get $sum3)
            (f64x2.mul
              (f64x2.promote_low_f32x4 (v128.load64_zero offset=24 align=1 (local.get $a)))
              (v128.load offset=48 align=1 (local.get $b)))))
        (local.set $a (i32.add (local.get $a) (i32.const 32)))
        (local.set $b (i32.add (local.get $b) (i32.const 64)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 8))))))
    (f64.add
      (f64x2.extract_lane 0
        (local.tee $pair
          (f64x2.add (f64x2.add (f64x2.add (local.get $sum0) (local.get $sum1)) (local.get $sum2)) (local.get $sum3))))
      (f64x2.extract_lane 1 (local.get $pair))))

  ;; The dot product.
  (func (export "dot64") (param $a i32) (param $b i32) (param $n i32) (result f64)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $pair v128)
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $sum0
          (f64x2.add
            (local.get $sum0)
            (f64x2.mul (v128.load align=1 (local.get $a)) (v128.load align=1 (local.get $b)))))
        (local.set $sum1
          (f64x2.add
            (local.get $sum1)
            (f64x2.mul (v128.load offset=16 align=1 (local.get $a)) (v128.load offset=16 align=1 (local.get $b)))))
        (local.set $sum2
          (f64x2.add
            (local.get $sum2)
            (f64x2.mul (v128.load offset=32 align=1 (local.get $a)) (v128.load offset=32 align=1 (local.get $b)))))
        (local.set $sum3
          (f64x2.add
            (local.get $sum3)
            (f64x2.mul (v128.load offset=48 align=1 (local.get $a)) (v128.load offset=48 align=1 (local.get $b)))))
        (local.set $a (i32.add (local.get $a) (i32.const 64)))
        (local.set $b (i32.add (local.get $b) (i32.const 64)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 8))))))
    (f64.add
      (f64x2.extract_lane 0
        (local.tee $pair
          (f64x2.add (f64x2.add (f64x2.add (local.get $sum0) (local.get $sum1)) (local.get $sum2)) (local.get $sum3))))
      (f64x2.extract_lane 1 (local.get $pair))))

  ;; The dot product; that of $a with itself is left, a double, at address 0.
  (func (export "cosine32") (param $a i32) (param $b i32) (param $n i32) (result f64)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $norm0 v128) (local $norm1 v128)
    (local $norm2 v128) (local $norm3 v128) (local $pair v128)
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $sum0
          (f64x2.add
            (local.get $sum0)
            (f64x2.mul
              (local.tee $pair (f64x2.promote_low_f32x4 (v128.load64_zero align=1 (local.get $a))))
              (v128.load align=1 (local.get $b)))))
        (local.set $norm0 (f64x2.add (local.get $norm0) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $sum1
          (f64x2.add
            (local.get $sum1)
            (f64x2.mul
              (local.tee $pair (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 align=1 (local.get $a))))
              (v128.load offset=16 align=1 (local.get $b)))))
        (local.set $norm1 (f64x2.add (local.get $norm1) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $sum2
          (f64x2.add
            (local.get $sum2)
            (f64x2.mul
              (local.tee $pair (f64x2.promote_low_f32x4 (v128.load64_zero offset=16 align=1 (local.get $a))))
              (v128.load offset=32 align=1 (local.get $b)))))
        (local.set $norm2 (f64x2.add (local.get $norm2) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $sum3
          (f64x2.add
            (local.get $sum3)
            (f64x2.mul
              (local.tee $pair (f64x2.promote_low_f32x4 (v128.load64_zero offset=24 align=1 (local.get $a))))
              (v128.load offset=48 align=1 (local.get $b)))))
        (local.set $norm3 (f64x2.add (local.get $norm3) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $a (i32.add (local.get $a) (i32.const 32)))
        (local.set $b (i32.add (local.get $b) (i32.const 64)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 8))))))
    (f64.store
      (i32.const 0)
      (f64.add
        (f64x2.extract_lane 0
          (local.tee $pair
            (f64x2.add
              (f64x2.add (f64x2.add (local.get $norm0) (local.get $norm1)) (local.get $norm2))
              (local.get $norm3))))
        (f64x2.extract_lane 1 (local.get $pair))))
    (f64.add
      (f64x2.extract_lane 0
        (local.tee $pair
          (f64x2.add (f64x2.add (f64x2.add (local.get $sum0) (local.get $sum1)) (local.get $sum2)) (local.get $sum3))))
      (f64x2.extract_lane 1 (local.get $pair))))

  ;; The dot product; that of $a with itself is left, a double, at address 0.
  (func (export "cosine64") (param $a i32) (param $b i32) (param $n i32) (result f64)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $norm0 v128) (local $norm1 v128)
    (local $norm2 v128) (local $norm3 v128) (local $pair v128)
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $sum0
          (f64x2.add
            (local.get $sum0)
            (f64x2.mul (local.tee $pair (v128.load align=1 (local.get $a))) (v128.load align=1 (local.get $b)))))
        (local.set $norm0 (f64x2.add (local.get $norm0) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $sum1
          (f64x2.add
            (local.get $sum1)
            (f64x2.mul
              (local.tee $pair (v128.load offset=16 align=1 (local.get $a)))
              (v128.load offset=16 align=1 (local.get $b)))))
        (local.set $norm1 (f64x2.add (local.get $norm1) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $sum2
          (f64x2.add
            (local.get $sum2)
            (f64x2.mul
              (local.tee $pair (v128.load offset=32 align=1 (local.get $a)))
              (v128.load offset=32 align=1 (local.get $b)))))
        (local.set $norm2 (f64x2.add (local.get $norm2) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $sum3
          (f64x2.add
            (local.get $sum3)
            (f64x2.mul
              (local.tee $pair (v128.load offset=48 align=1 (local.get $a)))
              (v128.load offset=48 align=1 (local.get $b)))))
        (local.set $norm3 (f64x2.add (local.get $norm3) (f64x2.mul (local.get $pair) (local.get $pair))))
        (local.set $a (i32.add (local.get $a) (i32.const 64)))
        (local.set $b (i32.add (local.get $b) (i32.const 64)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 8))))))
    (f64.store
      (i32.const 0)
      (f64.add
        (f64x2.extract_lane 0
          (local.tee $pair
            (f64x2.add
              (f64x2.add (f64x2.add (local.get $norm0) (local.get $norm1)) (local.get $norm2))
              (local.get $norm3))))
        (f64x2.extract_lane 1 (local.get $pair))))
    (f64.add
      (f64x2.extract_lane 0
        (local.tee $pair
          (f64x2.add (f64x2.add (f64x2.add (local.get $sum0) (local.get $sum1)) (local.get $sum2)) (local.get $sum3))))
      (f64x2.extract_lane 1 (local.get $pair))))

  ;; The square of the distance.
  (func (export "distance32") (param $a i32) (param $b i32) (param $n i32) (result f64)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $pair v128)
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $sum0
          (f64x2.add
            (local.get $sum0)
            (f64x2.mul
              (local.tee $pair
                (f64x2.sub
                  (f64x2.promote_low_f32x4 (v128.load64_zero align=1 (local.get $a)))
                  (v128.load align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $sum1
          (f64x2.add
            (local.get $sum1)
            (f64x2.mul
              (local.tee $pair
                (f64x2.sub
                  (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 align=1 (local.get $a)))
                  (v128.load offset=16 align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $sum2
          (f64x2.add
            (local.get $sum2)
            (f64x2.mul
              (local.tee $pair
                (f64x2.sub
                  (f64x2.promote_low_f32x4 (v128.load64_zero offset=16 align=1 (local.get $a)))
                  (v128.load offset=32 align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $sum3
          (f64x2.add
            (local.get $sum3)
            (f64x2.mul
              (local.tee $pair
                (f64x2.sub
                  (f64x2.promote_low_f32x4 (v128.load64_zero offset=24 align=1 (local.get $a)))
                  (v128.load offset=48 align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $a (i32.add (local.get $a) (i32.const 32)))
        (local.set $b (i32.add (local.get $b) (i32.const 64)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 8))))))
    (f64.add
      (f64x2.extract_lane 0
        (local.tee $pair
          (f64x2.add (f64x2.add (f64x2.add (local.get $sum0) (local.get $sum1)) (local.get $sum2)) (local.get $sum3))))
      (f64x2.extract_lane 1 (local.get $pair))))

  ;; The square of the distance.
  (func (export "distance64") (param $a i32) (param $b i32) (param $n i32) (result f64)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $pair v128)
    (block $end
      (br_if $end (i32.eqz (local.get $n)))
      (loop $turn
        (local.set $sum0
          (f64x2.add
            (local.get $sum0)
            (f64x2.mul
              (local.tee $pair (f64x2.sub (v128.load align=1 (local.get $a)) (v128.load align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $sum1
          (f64x2.add
            (local.get $sum1)
            (f64x2.mul
              (local.tee $pair
                (f64x2.sub (v128.load offset=16 align=1 (local.get $a)) (v128.load offset=16 align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $sum2
          (f64x2.add
            (local.get $sum2)
            (f64x2.mul
              (local.tee $pair
                (f64x2.sub (v128.load offset=32 align=1 (local.get $a)) (v128.load offset=32 align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $sum3
          (f64x2.add
            (local.get $sum3)
            (f64x2.mul
              (local.tee $pair
                (f64x2.sub (v128.load offset=48 align=1 (local.get $a)) (v128.load offset=48 align=1 (local.get $b))))
              (local.get $pair))))
        (local.set $a (i32.add (local.get $a) (i32.const 64)))
        (local.set $b (i32.add (local.get $b) (i32.const 64)))
        (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 8))))))
    (f64.add
      (f64x2.extract_lane 0
        (local.tee $pair
          (f64x2.add (f64x2.add (f64x2.add (local.get $sum0) (local.get $sum1)) (local.get $sum2)) (local.get $sum3))))
      (f64x2.extract_lane 1 (local.get $pair)))))
