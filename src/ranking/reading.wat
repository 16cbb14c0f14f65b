;; The inner loops of reading: signs of units' vectors, how near units of a question and of texts come, and what a text holds of them.
;; Assembled to reading.wasm by scripts/assemble.ts; a test compares the two.
;;
;; A question has at most 20 units. Whatever there is for each of them lies in rows of 24 f32 (96 bytes): unused ones are 0, so that
;; a row may be read from its second number on without meeting the next row's.
(module
  (memory (export "memory") 1)

  ;; Adds one row of the table to the 1,536 sums (f32) at `sums`. `row`: 768 bytes, two 4-bit numbers each, 8 standing for 0; `scales`: 48 f32,
  ;; one for each 16 bytes. The sums of a group lie as the low halves of its bytes, then the high ones: an order of its own, the same for every unit.
  (func (export "accumulate") (param $row i32) (param $scales i32) (param $sums i32)
    (local $end i32) (local $bytes v128) (local $scale v128)
    (local.set $end (i32.add (local.get $row) (i32.const 768)))
    (loop $groups
      (local.set $bytes (v128.load (local.get $row)))
      (local.set $scale (v128.load32_splat (local.get $scales)))
      (call $addSixteen (i8x16.sub (v128.and (local.get $bytes) (i8x16.splat (i32.const 15))) (i8x16.splat (i32.const 8))) (local.get $scale) (local.get $sums))
      (call $addSixteen (i8x16.sub (i8x16.shr_u (local.get $bytes) (i32.const 4)) (i8x16.splat (i32.const 8))) (local.get $scale) (i32.add (local.get $sums) (i32.const 64)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 128)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $groups (i32.lt_u (local.get $row) (local.get $end)))))

  (func $addSixteen (param $values v128) (param $scale v128) (param $sums i32)
    (local $low v128) (local $high v128)
    (local.set $low (i16x8.extend_low_i8x16_s (local.get $values)))
    (local.set $high (i16x8.extend_high_i8x16_s (local.get $values)))
    (call $addFour (i32x4.extend_low_i16x8_s (local.get $low)) (local.get $scale) (local.get $sums))
    (call $addFour (i32x4.extend_high_i16x8_s (local.get $low)) (local.get $scale) (i32.add (local.get $sums) (i32.const 16)))
    (call $addFour (i32x4.extend_low_i16x8_s (local.get $high)) (local.get $scale) (i32.add (local.get $sums) (i32.const 32)))
    (call $addFour (i32x4.extend_high_i16x8_s (local.get $high)) (local.get $scale) (i32.add (local.get $sums) (i32.const 48))))

  (func $addFour (param $values v128) (param $scale v128) (param $sums i32)
    (v128.store (local.get $sums)
      (f32x4.add (v128.load (local.get $sums)) (f32x4.mul (f32x4.convert_i32x4_s (local.get $values)) (local.get $scale)))))

  ;; Writes the signs of the 1,536 sums at `sums` as 192 bytes to `out`: a bit is set where a sum is negative. Leaves the sums at 0.
  (func (export "signs") (param $sums i32) (param $out i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $out) (i32.const 192)))
    (loop $bytes
      (i32.store8 (local.get $out)
        (i32.or
          (i32x4.bitmask (f32x4.lt (v128.load (local.get $sums)) (v128.const f32x4 0 0 0 0)))
          (i32.shl (i32x4.bitmask (f32x4.lt (v128.load offset=16 (local.get $sums)) (v128.const f32x4 0 0 0 0))) (i32.const 4))))
      (v128.store (local.get $sums) (v128.const f32x4 0 0 0 0))
      (v128.store offset=16 (local.get $sums) (v128.const f32x4 0 0 0 0))
      (local.set $sums (i32.add (local.get $sums) (i32.const 32)))
      (local.set $out (i32.add (local.get $out) (i32.const 1)))
      (br_if $bytes (i32.lt_u (local.get $out) (local.get $end)))))

  ;; For each of `count` slot numbers (u32) at `list`, writes how near its signs come to those of each of the question's `units` units at
  ;; `question` to a row at `out`: `nearness` (1,537 f32) says it for each number of bits that differ. Slots lie at `slots`, 192 bytes each.
  (func (export "similarities") (param $question i32) (param $units i32) (param $list i32) (param $count i32) (param $slots i32) (param $nearness i32) (param $out i32)
    (local $slot i32) (local $unit i32) (local $at i32) (local $to i32) (local $sum v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128) (local $f v128)
    (local $g v128) (local $h v128) (local $i v128) (local $j v128) (local $k v128) (local $l v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $slot (i32.add (local.get $slots) (i32.mul (i32.load (local.get $list)) (i32.const 192))))
        (local.set $a (v128.load (local.get $slot)))
        (local.set $b (v128.load offset=16 (local.get $slot)))
        (local.set $c (v128.load offset=32 (local.get $slot)))
        (local.set $d (v128.load offset=48 (local.get $slot)))
        (local.set $e (v128.load offset=64 (local.get $slot)))
        (local.set $f (v128.load offset=80 (local.get $slot)))
        (local.set $g (v128.load offset=96 (local.get $slot)))
        (local.set $h (v128.load offset=112 (local.get $slot)))
        (local.set $i (v128.load offset=128 (local.get $slot)))
        (local.set $j (v128.load offset=144 (local.get $slot)))
        (local.set $k (v128.load offset=160 (local.get $slot)))
        (local.set $l (v128.load offset=176 (local.get $slot)))
        (local.set $unit (local.get $units))
        (local.set $at (local.get $question))
        (local.set $to (local.get $out))
        (loop $each
          ;; Twelve registers of 8 bits a byte at most: the byte-wide counters cannot overflow.
          (local.set $sum (i8x16.popcnt (v128.xor (v128.load (local.get $at)) (local.get $a))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=16 (local.get $at)) (local.get $b)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=32 (local.get $at)) (local.get $c)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=48 (local.get $at)) (local.get $d)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=64 (local.get $at)) (local.get $e)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=80 (local.get $at)) (local.get $f)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=96 (local.get $at)) (local.get $g)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=112 (local.get $at)) (local.get $h)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=128 (local.get $at)) (local.get $i)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=144 (local.get $at)) (local.get $j)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=160 (local.get $at)) (local.get $k)))))
          (local.set $sum (i8x16.add (local.get $sum) (i8x16.popcnt (v128.xor (v128.load offset=176 (local.get $at)) (local.get $l)))))
          (local.set $sum (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sum))))
          (f32.store (local.get $to)
            (f32.load (i32.add (local.get $nearness) (i32.shl
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))
              (i32.const 2)))))
          (local.set $at (i32.add (local.get $at) (i32.const 192)))
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (br_if $each (local.tee $unit (i32.sub (local.get $unit) (i32.const 1)))))
        (local.set $out (i32.add (local.get $out) (i32.const 96)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next))))

  ;; Reads one text. `sequence`: addresses (u32) of the rows of similarities of its units in order, to the end of a block of eight and two
  ;; beyond it those of a row of zeros; `blocks`: how many blocks of eight, at least 1; `registers`: how many numbers of a row are in use, in fours.
  ;; Writes five rows to `out`: each of the question's units' nearest; its nearest that is not the same; how many are the same (f32);
  ;; its nearest in the best window; and how near it and the next unit of the question come to two that follow one another, or follow with one
  ;; between them. Returns what the best window, five blocks long, is worth: the sum of squared nearness times `weights` (a row).
  ;; `maxima` is room for a row for each block.
  (func (export "read") (param $sequence i32) (param $blocks i32) (param $registers i32) (param $weights i32) (param $maxima i32) (param $out i32) (result f32)
    (local $offset i32) (local $at i32) (local $block i32) (local $inBlock i32) (local $to i32) (local $last i32) (local $register i32) (local $bestStart i32)
    (local $near v128) (local $first v128) (local $second v128) (local $same v128) (local $maximum v128) (local $pairs v128) (local $isSame v128)
    (local $sum v128) (local $worth f32) (local $best f32)
    (local.set $register (local.get $registers))
    (loop $eachRegister
      (local.set $first (v128.const f32x4 0 0 0 0))
      (local.set $second (v128.const f32x4 0 0 0 0))
      (local.set $same (v128.const i32x4 0 0 0 0))
      (local.set $pairs (v128.const f32x4 0 0 0 0))
      (local.set $at (local.get $sequence))
      (local.set $to (i32.add (local.get $maxima) (local.get $offset)))
      (local.set $block (local.get $blocks))
      (loop $eachBlock
        (local.set $maximum (v128.const f32x4 0 0 0 0))
        (local.set $inBlock (i32.const 8))
        (loop $eachUnit
          (local.set $near (v128.load (i32.add (i32.load (local.get $at)) (local.get $offset))))
          (local.set $isSame (f32x4.ge (local.get $near) (v128.const f32x4 0.999 0.999 0.999 0.999)))
          (local.set $same (i32x4.sub (local.get $same) (local.get $isSame)))
          (local.set $second (f32x4.pmax (local.get $second) (v128.andnot (local.get $near) (local.get $isSame))))
          (local.set $maximum (f32x4.pmax (local.get $maximum) (local.get $near)))
          (local.set $pairs (f32x4.pmax (local.get $pairs)
            (f32x4.pmax
              (f32x4.pmin (local.get $near) (v128.load offset=4 (i32.add (i32.load offset=4 (local.get $at)) (local.get $offset))))
              (f32x4.mul (v128.const f32x4 0.9 0.9 0.9 0.9)
                (f32x4.pmin (local.get $near) (v128.load offset=4 (i32.add (i32.load offset=8 (local.get $at)) (local.get $offset))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br_if $eachUnit (local.tee $inBlock (i32.sub (local.get $inBlock) (i32.const 1)))))
        (v128.store (local.get $to) (local.get $maximum))
        (local.set $first (f32x4.pmax (local.get $first) (local.get $maximum)))
        (local.set $to (i32.add (local.get $to) (i32.const 96)))
        (br_if $eachBlock (local.tee $block (i32.sub (local.get $block) (i32.const 1)))))
      (v128.store (i32.add (local.get $out) (local.get $offset)) (local.get $first))
      (v128.store offset=96 (i32.add (local.get $out) (local.get $offset)) (local.get $second))
      (v128.store offset=192 (i32.add (local.get $out) (local.get $offset)) (f32x4.convert_i32x4_s (local.get $same)))
      (v128.store offset=384 (i32.add (local.get $out) (local.get $offset)) (local.get $pairs))
      (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
      (br_if $eachRegister (local.tee $register (i32.sub (local.get $register) (i32.const 1)))))

    ;; The best window: it begins with any block that five, itself included, follow, or with the first.
    (local.set $best (f32.const -1))
    (local.set $at (local.get $maxima))
    (local.set $last (i32.add (local.get $maxima)
      (select (i32.mul (i32.sub (local.get $blocks) (i32.const 5)) (i32.const 96)) (i32.const 0) (i32.gt_u (local.get $blocks) (i32.const 5)))))
    (loop $eachWindow
      (local.set $offset (i32.const 0))
      (local.set $register (local.get $registers))
      (local.set $sum (v128.const f32x4 0 0 0 0))
      (loop $eachRegister
        (local.set $maximum (call $windowMaximum (i32.add (local.get $at) (local.get $offset)) (local.get $blocks)))
        (local.set $sum (f32x4.add (local.get $sum)
          (f32x4.mul (v128.load (i32.add (local.get $weights) (local.get $offset))) (f32x4.mul (local.get $maximum) (local.get $maximum)))))
        (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
        (br_if $eachRegister (local.tee $register (i32.sub (local.get $register) (i32.const 1)))))
      (local.set $worth (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
        (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))
      (if (f32.gt (local.get $worth) (local.get $best))
        (then (local.set $best (local.get $worth)) (local.set $bestStart (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 96)))
      (br_if $eachWindow (i32.le_u (local.get $at) (local.get $last))))
    (local.set $offset (i32.const 0))
    (local.set $register (local.get $registers))
    (loop $eachRegister
      (v128.store offset=288 (i32.add (local.get $out) (local.get $offset))
        (call $windowMaximum (i32.add (local.get $bestStart) (local.get $offset)) (local.get $blocks)))
      (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
      (br_if $eachRegister (local.tee $register (i32.sub (local.get $register) (i32.const 1)))))
    (local.get $best))

  ;; The largest of the same register of five blocks' rows, or of all where there are fewer.
  (func $windowMaximum (param $at i32) (param $blocks i32) (result v128)
    (local $maximum v128) (local $left i32)
    (local.set $left (select (i32.const 5) (local.get $blocks) (i32.gt_u (local.get $blocks) (i32.const 5))))
    (loop $eachBlock
      (local.set $maximum (f32x4.pmax (local.get $maximum) (v128.load (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 96)))
      (br_if $eachBlock (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    (local.get $maximum)))
