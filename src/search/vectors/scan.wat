;; One query against rows, 16 bytes at a time: dot products of int8 vectors and Hamming distances of sign codes.
;; Assembled to scan.wasm by scripts/assemble.ts; a test compares the two.
(module
  (memory (export "memory") 1)

  ;; Writes, for each of `count` row numbers at `list` (u32), the dot product (i32) of the vector at `query` and the row to `out`.
  ;; `rows` is the address of row 0; `stride` is a row's length in bytes, a multiple of 16.
  (func (export "dots") (param $query i32) (param $rows i32) (param $stride i32) (param $list i32) (param $count i32) (param $out i32)
    (local $listEnd i32) (local $row i32)
    (local.set $listEnd (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $listEnd)))
        (local.set $row (i32.add (local.get $rows) (i32.mul (i32.load (local.get $list)) (local.get $stride))))
        (i32.store (local.get $out) (call $dot (local.get $query) (local.get $row) (local.get $stride)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next))))

  ;; Writes, for each of `count` row numbers at `list` (u32), the number of bits (i32) in which the bit string at `query` and the row
  ;; differ to `out`. `rows` is the address of row 0; `stride` is at most 31 registers, 496 bytes, so that the byte-wide counters cannot
  ;; overflow (31 × 8 = 248).
  (func (export "distances") (param $query i32) (param $rows i32) (param $stride i32) (param $list i32) (param $count i32) (param $out i32)
    (local $listEnd i32)
    (local.set $listEnd (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $listEnd)))
        (i32.store (local.get $out) (call $differing
          (local.get $query)
          (i32.add (local.get $rows) (i32.mul (i32.load (local.get $list)) (local.get $stride)))
          (local.get $stride)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next))))

  ;; Writes the squared length (i32) of each of `count` rows from address `row` on to `out`.
  (func (export "squares") (param $row i32) (param $stride i32) (param $count i32) (param $out i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (i32.store (local.get $out) (call $dot (local.get $row) (local.get $row) (local.get $stride)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $row (i32.add (local.get $row) (local.get $stride)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next))))

  ;; Writes the sign bits of each of `count` int8 rows from address `row` on to `out`: a bit is set where a component is positive.
  ;; `bytes` bytes a row, an even number; a row has at least 8 components for each.
  (func (export "signs") (param $row i32) (param $stride i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $at i32) (local $end i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $at (local.get $row))
        (local.set $end (i32.add (local.get $out) (local.get $bytes)))
        (loop $registers
          (i32.store16 (local.get $out)
            (i8x16.bitmask (i8x16.gt_s (v128.load (local.get $at)) (v128.const i32x4 0 0 0 0))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $out (i32.add (local.get $out) (i32.const 2)))
          (br_if $registers (i32.lt_u (local.get $out) (local.get $end))))
        (local.set $row (i32.add (local.get $row) (local.get $stride)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next))))

  ;; The bits in which two strings of `length` bytes, at most 31 registers, differ.
  (func $differing (param $left i32) (param $right i32) (param $length i32) (result i32)
    (local $leftEnd i32) (local $sum v128)
    (local.set $leftEnd (i32.add (local.get $left) (local.get $length)))
    (loop $registers
      (local.set $sum (i8x16.add (local.get $sum)
        (i8x16.popcnt (v128.xor (v128.load (local.get $left)) (v128.load (local.get $right))))))
      (local.set $left (i32.add (local.get $left) (i32.const 16)))
      (local.set $right (i32.add (local.get $right) (i32.const 16)))
      (br_if $registers (i32.lt_u (local.get $left) (local.get $leftEnd))))
    (local.set $sum (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sum))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  (func $dot (param $left i32) (param $right i32) (param $length i32) (result i32)
    (local $leftEnd i32) (local $low v128) (local $high v128) (local $a v128) (local $b v128)
    (local.set $leftEnd (i32.add (local.get $left) (local.get $length)))
    (loop $lanes
      (local.set $a (v128.load (local.get $left)))
      (local.set $b (v128.load (local.get $right)))
      (local.set $low (i32x4.add (local.get $low)
        (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $a)) (i16x8.extend_low_i8x16_s (local.get $b)))))
      (local.set $high (i32x4.add (local.get $high)
        (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $a)) (i16x8.extend_high_i8x16_s (local.get $b)))))
      (local.set $left (i32.add (local.get $left) (i32.const 16)))
      (local.set $right (i32.add (local.get $right) (i32.const 16)))
      (br_if $lanes (i32.lt_u (local.get $left) (local.get $leftEnd))))
    (local.set $low (i32x4.add (local.get $low) (local.get $high)))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
      (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low))))))
