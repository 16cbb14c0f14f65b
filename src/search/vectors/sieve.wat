;; One question against the sign bits of many rows, sixteen rows at a time: for every four components of a row a table says how far
;; they are from the question's, and a shuffle looks sixteen rows up at once.
;; Assembled to sieve.wasm by scripts/assemble.ts; a test compares the two. The memory is shared by all threads that sieve.
(module
  (memory (import "rows" "memory") 1 65536 shared)

  ;; Rows lie in blocks of 16: the first byte of each of the 16, then the second of each, and so on, `bytes` of them, a multiple of 4.
  ;; At `tables` lie 16 entries of at most 63 for each half byte, low half first. A row's distance is the sum of its entries.
  ;; For each row of `blocks` blocks from address `block` on whose distance is below `limit`, writes its number, counted from 0, and
  ;; the distance (two i32) to `out`; returns how many were written. 32 bytes at `spill` are overwritten.
  (func (export "sieve") (param $tables i32) (param $block i32) (param $bytes i32) (param $blocks i32) (param $limit i32) (param $spill i32) (param $out i32) (result i32)
    (local $table i32) (local $end i32) (local $row i32) (local $rows i32) (local $written i32) (local $near i32) (local $lane i32)
    (local $codes v128) (local $sum v128) (local $low v128) (local $high v128) (local $limits v128) (local $half v128)
    (local.set $half (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (local.set $limits (i16x8.splat (local.get $limit)))
    (local.set $rows (i32.shl (local.get $blocks) (i32.const 4)))
    (local.set $written (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $rows)))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $table (local.get $tables))
        (local.set $end (i32.add (local.get $block) (i32.shl (local.get $bytes) (i32.const 4))))
        ;; Two bytes of each row are four entries, whose sum fits a byte.
        (loop $pair
          (local.set $codes (v128.load (local.get $block)))
          (local.set $sum (i8x16.add
            (i8x16.swizzle (v128.load (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
            (i8x16.swizzle (v128.load offset=16 (local.get $table))
              (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half)))))
          (local.set $codes (v128.load offset=16 (local.get $block)))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.add
            (i8x16.swizzle (v128.load offset=32 (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
            (i8x16.swizzle (v128.load offset=48 (local.get $table))
              (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half))))))
          (local.set $low (i16x8.add (local.get $low) (i16x8.extend_low_i8x16_u (local.get $sum))))
          (local.set $high (i16x8.add (local.get $high) (i16x8.extend_high_i8x16_u (local.get $sum))))
          (local.set $codes (v128.load offset=32 (local.get $block)))
          (local.set $sum (i8x16.add
            (i8x16.swizzle (v128.load offset=64 (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
            (i8x16.swizzle (v128.load offset=80 (local.get $table))
              (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half)))))
          (local.set $codes (v128.load offset=48 (local.get $block)))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.add
            (i8x16.swizzle (v128.load offset=96 (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
            (i8x16.swizzle (v128.load offset=112 (local.get $table))
              (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half))))))
          (local.set $low (i16x8.add (local.get $low) (i16x8.extend_low_i8x16_u (local.get $sum))))
          (local.set $high (i16x8.add (local.get $high) (i16x8.extend_high_i8x16_u (local.get $sum))))
          (local.set $block (i32.add (local.get $block) (i32.const 64)))
          (local.set $table (i32.add (local.get $table) (i32.const 128)))
          (br_if $pair (i32.lt_u (local.get $block) (local.get $end))))
        (local.set $near (i32.or
          (i16x8.bitmask (i16x8.lt_u (local.get $low) (local.get $limits)))
          (i32.shl (i16x8.bitmask (i16x8.lt_u (local.get $high) (local.get $limits))) (i32.const 8))))
        (if (local.get $near)
          (then
            (v128.store (local.get $spill) (local.get $low))
            (v128.store offset=16 (local.get $spill) (local.get $high))
            (loop $each
              (local.set $lane (i32.ctz (local.get $near)))
              (i32.store (local.get $written) (i32.add (local.get $row) (local.get $lane)))
              (i32.store offset=4 (local.get $written)
                (i32.load16_u (i32.add (local.get $spill) (i32.shl (local.get $lane) (i32.const 1)))))
              (local.set $written (i32.add (local.get $written) (i32.const 8)))
              (local.set $near (i32.and (local.get $near) (i32.sub (local.get $near) (i32.const 1))))
              (br_if $each (local.get $near)))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $written) (local.get $out)) (i32.const 3)))

  ;; Lays the first `bytes` bytes of each of `count` strings, `stride` bytes apart from `from` on, where rows `row`, `row` + 1, … of the
  ;; blocks at `blocks` have them.
  (func (export "interleave") (param $from i32) (param $stride i32) (param $bytes i32) (param $count i32) (param $blocks i32) (param $row i32)
    (local $to i32) (local $at i32) (local $lastRow i32)
    (local.set $lastRow (i32.add (local.get $row) (local.get $count)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $lastRow)))
        (local.set $to (i32.add (local.get $blocks) (i32.add
          (i32.mul (i32.shr_u (local.get $row) (i32.const 4)) (i32.shl (local.get $bytes) (i32.const 4)))
          (i32.and (local.get $row) (i32.const 15)))))
        (local.set $at (i32.const 0))
        (loop $byte
          (i32.store8 (local.get $to) (i32.load8_u (i32.add (local.get $from) (local.get $at))))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $byte (i32.lt_u (local.get $at) (local.get $bytes))))
        (local.set $from (i32.add (local.get $from) (local.get $stride)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $next)))))
