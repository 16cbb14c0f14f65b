;; Adds up rows of a quantised table, each with a weight: numbers of four bits, two a byte, in blocks of 32 with a scale each.
;; Assembled to weighted-sum.wasm by scripts/assemble.ts; a test compares the two.
(module
  (memory (export "memory") 1)

  ;; Writes each row's scales times its weight to `out` (f32). `halves`: the scales of `count` rows in half precision, `blocks` a row,
  ;; a multiple of 4; `weights`: f32.
  (func (export "weigh") (param $halves i32) (param $weights i32) (param $count i32) (param $blocks i32) (param $out i32)
    (local $weightsEnd i32) (local $rowEnd i32) (local $weight v128)
    (local.set $weightsEnd (i32.add (local.get $weights) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $nextRow
        (br_if $done (i32.ge_u (local.get $weights) (local.get $weightsEnd)))
        ;; A half's exponent lies 112 below that of the number with the same bits in single precision.
        (local.set $weight (f32x4.mul (v128.load32_splat (local.get $weights)) (f32x4.splat (f32.const 0x1p112))))
        (local.set $rowEnd (i32.add (local.get $halves) (i32.shl (local.get $blocks) (i32.const 1))))
        (loop $nextScales
          (v128.store (local.get $out)
            (f32x4.mul
              (v128.and
                (i32x4.shl (i32x4.extend_low_i16x8_s (v128.load64_zero (local.get $halves))) (i32.const 13))
                (i32x4.splat (i32.const 0x8fffe000)))
              (local.get $weight)))
          (local.set $halves (i32.add (local.get $halves) (i32.const 8)))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))
          (br_if $nextScales (i32.lt_u (local.get $halves) (local.get $rowEnd))))
        (local.set $weights (i32.add (local.get $weights) (i32.const 4)))
        (br $nextRow))))

  ;; Adds `count` rows at `rows` to the vector at `out` (f32). `scales`: as `weigh` wrote them. A number n stands for (n - 8) × scale.
  (func (export "add") (param $rows i32) (param $scales i32) (param $count i32) (param $blocks i32) (param $out i32)
    (local $block i32) (local $row i32) (local $scale i32) (local $left i32) (local $rowBytes i32) (local $rowScales i32)
    (local $s v128) (local $packed v128) (local $even v128) (local $odd v128) (local $eight v128)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (local $a4 v128) (local $a5 v128) (local $a6 v128) (local $a7 v128)
    (local.set $rowBytes (i32.shl (local.get $blocks) (i32.const 4)))
    (local.set $rowScales (i32.shl (local.get $blocks) (i32.const 2)))
    (block $done
      (loop $nextBlock
        (br_if $done (i32.ge_u (local.get $block) (local.get $blocks)))
        (local.set $a0 (v128.load (local.get $out)))
        (local.set $a1 (v128.load offset=16 (local.get $out)))
        (local.set $a2 (v128.load offset=32 (local.get $out)))
        (local.set $a3 (v128.load offset=48 (local.get $out)))
        (local.set $a4 (v128.load offset=64 (local.get $out)))
        (local.set $a5 (v128.load offset=80 (local.get $out)))
        (local.set $a6 (v128.load offset=96 (local.get $out)))
        (local.set $a7 (v128.load offset=112 (local.get $out)))
        (local.set $row (i32.add (local.get $rows) (i32.shl (local.get $block) (i32.const 4))))
        (local.set $scale (i32.add (local.get $scales) (i32.shl (local.get $block) (i32.const 2))))
        (local.set $left (local.get $count))
        (block $blockDone
          (loop $nextRow
            (br_if $blockDone (i32.eqz (local.get $left)))
            (local.set $s (v128.load32_splat (local.get $scale)))
            (local.set $packed (v128.load (local.get $row)))
            (local.set $even (v128.and (local.get $packed) (i8x16.splat (i32.const 15))))
            (local.set $odd (i8x16.shr_u (local.get $packed) (i32.const 4)))
            (local.set $eight
              (i8x16.sub
                (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $even) (local.get $odd))
                (i8x16.splat (i32.const 8))))
            (local.set $packed (i16x8.extend_low_i8x16_s (local.get $eight)))
            (local.set $a0 (f32x4.add (local.get $a0) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $packed))))))
            (local.set $a1 (f32x4.add (local.get $a1) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $packed))))))
            (local.set $packed (i16x8.extend_high_i8x16_s (local.get $eight)))
            (local.set $a2 (f32x4.add (local.get $a2) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $packed))))))
            (local.set $a3 (f32x4.add (local.get $a3) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $packed))))))
            (local.set $eight
              (i8x16.sub
                (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $even) (local.get $odd))
                (i8x16.splat (i32.const 8))))
            (local.set $packed (i16x8.extend_low_i8x16_s (local.get $eight)))
            (local.set $a4 (f32x4.add (local.get $a4) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $packed))))))
            (local.set $a5 (f32x4.add (local.get $a5) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $packed))))))
            (local.set $packed (i16x8.extend_high_i8x16_s (local.get $eight)))
            (local.set $a6 (f32x4.add (local.get $a6) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $packed))))))
            (local.set $a7 (f32x4.add (local.get $a7) (f32x4.mul (local.get $s) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $packed))))))
            (local.set $row (i32.add (local.get $row) (local.get $rowBytes)))
            (local.set $scale (i32.add (local.get $scale) (local.get $rowScales)))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br $nextRow)))
        (v128.store (local.get $out) (local.get $a0))
        (v128.store offset=16 (local.get $out) (local.get $a1))
        (v128.store offset=32 (local.get $out) (local.get $a2))
        (v128.store offset=48 (local.get $out) (local.get $a3))
        (v128.store offset=64 (local.get $out) (local.get $a4))
        (v128.store offset=80 (local.get $out) (local.get $a5))
        (v128.store offset=96 (local.get $out) (local.get $a6))
        (v128.store offset=112 (local.get $out) (local.get $a7))
        (local.set $out (i32.add (local.get $out) (i32.const 128)))
        (local.set $block (i32.add (local.get $block) (i32.const 1)))
        (br $nextBlock)))))
