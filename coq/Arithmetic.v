(** The table of arithmetic (src/grundylab/prove/core/arithmetic.py): a lemma for each row, with its name, about all integers.
    In Coq, too, x / 0 is 0 and x mod 0 is x. A test compares each lemma with its row. *)
From Coq Require Import ZArith Lia.
Local Open Scope Z_scope.

Definition is_power_of_two (x : Z) : Prop := 1 <= x /\ 2 ^ Z.log2 x = x.

Lemma remainder x k : k < 1 \/ 0 <= x mod k < k.
Proof. destruct (Z.lt_ge_cases k 1); [now left|right]. apply Z.mod_pos_bound. lia. Qed.
Lemma remainder_small x k : x < 0 \/ k < 1 \/ x mod k <= x.
Proof. destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases k 1); auto. right; right. apply Z.mod_le; lia. Qed.
Lemma remainder_below x k : x < 0 \/ k <= x \/ x mod k = x.
Proof. destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases x k); auto. right; right. apply Z.mod_small. lia. Qed.
Lemma remainder_back x t k : t < 0 \/ k < t \/ k < 1 \/ (x - t) mod k = if t <=? x mod k then x mod k - t else x mod k - t + k.
Proof.
  destruct (Z.lt_ge_cases t 0), (Z.lt_ge_cases k t), (Z.lt_ge_cases k 1); auto. right; right; right.
  pose proof (Z.mod_pos_bound x k ltac:(lia)). pose proof (Z.div_mod x k ltac:(lia)). symmetry. destruct (Z.leb_spec t (x mod k)).
  - apply Z.mod_unique_pos with (x / k); lia.
  - apply Z.mod_unique_pos with (x / k - 1); lia.
Qed.
Lemma remainder_same x k : k < 1 \/ (x - k) mod k = x mod k.
Proof.
  destruct (Z.lt_ge_cases k 1); [now left|right]. replace (x - k) with (x + -1 * k) by lia. apply Z.mod_add. lia.
Qed.
Lemma same_digits x y q : is_power_of_two q -> x / q = y / q <-> Z.lxor x y / q = 0.
Proof.
  intros [natural power]. pose proof (Z.log2_nonneg q). rewrite <- power, <- !Z.shiftr_div_pow2, Z.shiftr_lxor by lia.
  symmetry. apply Z.lxor_eq_0_iff.
Qed.
Lemma quotient_digits x y q : ~ is_power_of_two q \/ Z.lxor x y < 0 \/ q <= Z.lxor x y \/ x / q = y / q.
Proof.
  destruct (Z.lt_ge_cases q 1) as [small|large]; [left; unfold is_power_of_two; lia|].
  destruct (Z.eq_dec (2 ^ Z.log2 q) q) as [power|]; [right|left; unfold is_power_of_two; lia].
  destruct (Z.lt_ge_cases (Z.lxor x y) 0), (Z.lt_ge_cases (Z.lxor x y) q); auto. right; right.
  apply same_digits; [split; lia|]. apply Z.div_small. lia.
Qed.
Lemma quotient_digits_differ x y q : ~ is_power_of_two q \/ 0 <= Z.lxor x y < q \/ x / q <> y / q.
Proof.
  destruct (Z.lt_ge_cases q 1) as [small|large]; [left; unfold is_power_of_two; lia|].
  destruct (Z.eq_dec (2 ^ Z.log2 q) q) as [power|]; [right|left; unfold is_power_of_two; lia].
  destruct (Z.eq_dec (x / q) (y / q)) as [equal|]; auto. left.
  apply same_digits in equal; [|split; lia]. apply Z.div_small_iff in equal; lia.
Qed.
Lemma quotient x k : x < 0 \/ k < 1 \/ 0 <= x / k <= x.
Proof.
  destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases k 1); auto. right; right. split; [apply Z.div_pos; lia|].
  apply Z.div_le_upper_bound; nia.
Qed.
Lemma quotient_monotone x y k : k < 1 \/ y < x \/ x / k <= y / k.
Proof. destruct (Z.lt_ge_cases k 1), (Z.lt_ge_cases y x); auto. right; right. apply Z.div_le_mono; lia. Qed.
Lemma quotient_divisor x k l : x < 0 \/ k < 1 \/ l < k \/ x / l <= x / k.
Proof.
  destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases k 1), (Z.lt_ge_cases l k); auto. right; right; right.
  apply Z.div_le_compat_l; lia.
Qed.
Lemma quotient_zero x k : x < 0 \/ k < 1 \/ if x <? k then x / k = 0 else 1 <= x / k.
Proof.
  destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases k 1); auto. right; right. destruct (Z.ltb_spec x k).
  - apply Z.div_small. lia.
  - apply Z.div_le_lower_bound; lia.
Qed.
Lemma quotient_back x t k : t < 0 \/ k < t \/ k < 1 \/ x / k - 1 <= (x - t) / k <= x / k.
Proof.
  destruct (Z.lt_ge_cases t 0), (Z.lt_ge_cases k t), (Z.lt_ge_cases k 1); auto. right; right; right.
  pose proof (Z.div_mod x k ltac:(lia)). pose proof (Z.mod_pos_bound x k ltac:(lia)). split.
  - apply Z.div_le_lower_bound; lia.
  - apply Z.div_le_mono; lia.
Qed.
Lemma quotient_twice x k l : x < 0 \/ k < 1 \/ l < 1 \/ x / k / l = x / (k * l).
Proof.
  destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases k 1), (Z.lt_ge_cases l 1); auto. right; right; right. apply Z.div_div; lia.
Qed.
Lemma division x k : k < 1 \/ x = k * (x / k) + x mod k.
Proof. destruct (Z.lt_ge_cases k 1); [now left|right]. apply Z.div_mod. lia. Qed.
Lemma product_natural x y : x < 0 \/ y < 0 \/ 0 <= x * y.
Proof. destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases y 0); auto. right; right. nia. Qed.
Lemma product_square x : x <= x * x.
Proof. nia. Qed.
Lemma product_monotone x y z : x < 0 \/ z < y \/ x * y <= x * z.
Proof. destruct (Z.lt_ge_cases x 0), (Z.lt_ge_cases z y); auto. right; right. nia. Qed.

Lemma shift n : 0 <= n -> Z.shiftl 1 n = 2 ^ n.
Proof. intros H. rewrite Z.shiftl_mul_pow2 by exact H. lia. Qed.
Lemma power_next n : n < 0 \/ Z.shiftl 1 (n + 1) = 2 * Z.shiftl 1 n.
Proof. destruct (Z.lt_ge_cases n 0); [now left|right]. rewrite !shift by lia. apply Z.pow_succ_r. lia. Qed.
Lemma power n : n < 0 \/ is_power_of_two (Z.shiftl 1 n).
Proof.
  destruct (Z.lt_ge_cases n 0); [now left|right]. rewrite shift by lia. split; [|now rewrite Z.log2_pow2].
  pose proof (Z.pow_pos_nonneg 2 n). lia.
Qed.
Lemma power_monotone m n : m < 0 \/ n < m \/ Z.shiftl 1 m <= Z.shiftl 1 n.
Proof. destruct (Z.lt_ge_cases m 0), (Z.lt_ge_cases n m); auto. right; right. rewrite !shift by lia. apply Z.pow_le_mono_r; lia. Qed.
Lemma power_back n : n < 1 \/ Z.shiftl 1 n = 2 * Z.shiftl 1 (n - 1).
Proof.
  destruct (Z.lt_ge_cases n 1); [now left|right]. rewrite !shift by lia. replace n with (n - 1 + 1) at 1 by lia.
  apply Z.pow_succ_r. lia.
Qed.
Lemma power_above n : n < 0 \/ n < Z.shiftl 1 n.
Proof. destruct (Z.lt_ge_cases n 0); [now left|right]. rewrite shift by lia. apply Z.pow_gt_lin_r; lia. Qed.
Lemma quotient_next x n : n < 0 \/ x / Z.shiftl 1 (n + 1) = x / Z.shiftl 1 n / 2.
Proof.
  destruct (Z.lt_ge_cases n 0); [now left|right]. rewrite !shift, Z.pow_add_r by lia.
  assert (0 < 2 ^ n) by (apply Z.pow_pos_nonneg; lia). rewrite Z.div_div by lia. reflexivity.
Qed.
Lemma quotient_half x y k i :
  k < 1 \/ x / Z.shiftl 1 i <> y / Z.shiftl 1 i \/
  x / (2 * k) / Z.shiftl 1 (i - 1) = y / (2 * k) / Z.shiftl 1 (i - 1).
Proof.
  destruct (Z.lt_ge_cases k 1), (Z.eq_dec (x / Z.shiftl 1 i) (y / Z.shiftl 1 i)) as [same|]; auto. right; right.
  destruct (Z.lt_ge_cases i 1) as [small|]; [rewrite Z.shiftl_1_l, Z.pow_neg_r, !Zdiv_0_r by lia; reflexivity|].
  destruct (power_back i) as [|next]; [lia|]. rewrite next in same.
  assert (0 < Z.shiftl 1 (i - 1)) by (rewrite shift by lia; apply Z.pow_pos_nonneg; lia).
  rewrite !Z.div_div by lia. replace (2 * k * Z.shiftl 1 (i - 1)) with (2 * Z.shiftl 1 (i - 1) * k) by lia.
  rewrite <- (Z.div_div x (2 * Z.shiftl 1 (i - 1)) k), <- (Z.div_div y (2 * Z.shiftl 1 (i - 1)) k), same by lia. reflexivity.
Qed.
Lemma log n : 0 <= Z.log2 n.
Proof. apply Z.log2_nonneg. Qed.
Lemma log_above n : n < 1 \/ Z.log2 n < Z.shiftl 1 (Z.log2 n).
Proof.
  destruct (Z.lt_ge_cases n 1); [now left|right]. rewrite shift by apply Z.log2_nonneg.
  apply Z.pow_gt_lin_r; [lia|apply Z.log2_nonneg].
Qed.
Lemma log_power n : n < 1 \/ (Z.shiftl 1 (Z.log2 n) <= n /\ n < 2 * Z.shiftl 1 (Z.log2 n)).
Proof.
  destruct (Z.lt_ge_cases n 1); [now left|right]. rewrite shift by apply Z.log2_nonneg.
  pose proof (Z.log2_spec n ltac:(lia)) as [low high]. rewrite Z.pow_succ_r in high by apply Z.log2_nonneg. lia.
Qed.

Definition is_prime (p : Z) : Prop := 1 < p /\ forall d, 1 < d < p -> p mod d <> 0.
Lemma prime p d : d < 2 \/ ~ is_prime p \/ p = d \/ p mod d <> 0.
Proof.
  destruct (Z.lt_ge_cases d 2), (Z.eq_dec p d), (Z.eq_dec (p mod d) 0) as [divides|]; auto. right; left. intros [large none].
  destruct (Z.lt_ge_cases d p); [now apply (none d); [lia|]|]. rewrite Z.mod_small in divides; lia.
Qed.
Lemma divisor n t d : t < 1 \/ d < 1 \/ n mod t <> 0 \/ t mod d <> 0 \/ n mod d = 0.
Proof.
  destruct (Z.lt_ge_cases t 1), (Z.lt_ge_cases d 1), (Z.eq_dec (n mod t) 0) as [one|], (Z.eq_dec (t mod d) 0) as [two|]; auto.
  do 4 right. apply Z.mod_divide in one; [|lia]. apply Z.mod_divide in two; [|lia]. apply Z.mod_divide; [lia|].
  now apply Z.divide_trans with t.
Qed.
