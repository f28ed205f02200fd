(** Games of one pile in which the number of stones that may be taken depends on the turn: the P-positions form runs. The last
    theorems are those of "Games of Nim with restriction": Theorem 35, for every limit that does not decrease, and Lemmas 33
    and 34. To understand them, read [taking], [turns], [sum] and [P35] here, and [Ppos] in Games.v. *)
From Coq Require Import List Arith NArith ZArith Lia.
From Grundylab Require Import Games.
Import ListNotations.

(** A position is a pile of x stones in a row r. A move takes from low r to high r stones, but no more than there are, and
    leads to the next row. *)
Definition taking {Row : Type} (low high : Row -> nat) (next : Row -> Row) (a : nat * Row) : list (nat * Row) :=
  let (x, r) := a in map (fun t => (x - t, next r)) (seq (low r) (1 + min x (high r) - low r)).

(** What the rows r with [row r] and their runs must be. Run j of a row is from [first j] to [last j]. *)
Record runs {Row : Type} (low high : Row -> nat) (next : Row -> Row) (row : Row -> Prop) (first last : nat -> Row -> Z) : Prop := {
  row_next : forall r, row r -> row (next r);
  takes : forall r, row r -> 1 <= low r <= high r;
  (* the number of ways to take stones does not decrease, from the second row of a play on *)
  wider : forall r, row r -> high (next r) + low (next (next r)) <= high (next (next r)) + low (next r);
  first_run : forall r, row r -> first 0 r = 0%Z;
  (* from the positions after run j and before run j + 1, and from no others, a move leads into run j of the next row *)
  first_next : forall j r, row r -> (first (S j) r = last j (next r) + Z.of_nat (high r) + 1)%Z;
  last_next : forall j r, row r -> (last j r = first j (next r) + Z.of_nat (low r) - 1)%Z }.

Section Runs.
  Variable Row : Type.
  Variables low high : Row -> nat.
  Variable next : Row -> Row.
  Variable row : Row -> Prop.
  Variables first last : nat -> Row -> Z.
  Hypothesis R : runs low high next row first last.
  Let options := taking low high next.
  Let row_next := row_next _ _ _ _ _ _ R.
  Let takes := takes _ _ _ _ _ _ R.
  Let wider := wider _ _ _ _ _ _ R.
  Let first_run := first_run _ _ _ _ _ _ R.
  Let first_next := first_next _ _ _ _ _ _ R.
  Let last_next := last_next _ _ _ _ _ _ R.
  Local Open Scope Z_scope.

  Lemma full : forall j r, row r -> first j (next r) <= last j (next r).
  Proof.
    induction j as [|j IH]; intros r Hr; pose proof (row_next r Hr) as Hs; pose proof (row_next _ Hs) as Ht.
    - rewrite last_next, !first_run by auto. specialize (takes _ Hs). lia.
    - rewrite (last_next (S j)), !first_next, (last_next j (next (next r))) by auto.
      specialize (IH (next (next r)) Ht). specialize (wider r Hr). lia.
  Qed.
  Lemma increasing : forall j r, row r -> first j r < first (S j) r.
  Proof.
    induction j as [|j IH]; intros r Hr; pose proof (row_next r Hr) as Hs; pose proof (row_next _ Hs) as Ht.
    - rewrite first_next, last_next, !first_run by auto. specialize (takes _ Hs). lia.
    - rewrite (first_next (S j)), (first_next j), !last_next by auto. specialize (IH _ Ht). lia.
  Qed.
  Lemma in_order r : row r -> forall i j, (i <= j)%nat -> first i r <= first j r.
  Proof. intros Hr i j L. induction L as [|j L IH]; [lia|]. pose proof (increasing j r Hr). lia. Qed.
  Lemma far r : row r -> forall j, Z.of_nat j <= first j r.
  Proof. intros Hr. induction j as [|j IH]; [rewrite first_run by auto|pose proof (increasing j r Hr)]; lia. Qed.

  (** Each number is in a run, or after it and before the next one. *)
  Lemma place r x : row r -> exists i, first i r <= Z.of_nat x < first (S i) r.
  Proof.
    intros Hr. assert (G : forall n, (exists i, first i r <= Z.of_nat x < first (S i) r) \/ first n r <= Z.of_nat x).
    { induction n as [|n [IH|IH]]; [right; rewrite first_run by auto; lia|now left|].
      destruct (Z.lt_ge_cases (Z.of_nat x) (first (S n) r)) as [L|L]; [left; eauto|right; lia]. }
    destruct (G (S x)) as [|L]; [assumption|]. pose proof (far r Hr (S x)). lia.
  Qed.

  Definition in_run (a : nat * Row) : Prop := exists j, first j (snd a) <= Z.of_nat (fst a) <= last j (snd a).
  Lemma in_taking x r b : In b (options (x, r)) <-> exists t, (low r <= t <= high r)%nat /\ (t <= x)%nat /\ b = ((x - t)%nat, next r).
  Proof.
    unfold options, taking. rewrite in_map_iff. setoid_rewrite in_seq.
    split; [intros (t & <- & L)|intros (t & L & Lx & ->)]; exists t; repeat split; lia.
  Qed.
  Lemma no_move_between_runs x r : row r -> in_run (x, r) -> forall b, In b (options (x, r)) -> ~ in_run b.
  Proof.
    intros Hr (j & B) b I (i & C). pose proof (row_next r Hr) as Hs. apply in_taking in I as (t & L & Lx & ->). cbn [fst snd] in *.
    pose proof (first_next i r Hr) as F. pose proof (last_next i r Hr) as E. pose proof (last_next j r Hr) as E'.
    destruct (Nat.le_gt_cases j i) as [O|O]; [pose proof (in_order _ Hs j i O)|pose proof (in_order _ Hr (S i) j O)]; lia.
  Qed.
  Lemma move_into_run x r : row r -> in_run (x, r) \/ exists b, In b (options (x, r)) /\ in_run b.
  Proof.
    intros Hr. pose proof (row_next r Hr) as Hs. destruct (place r x Hr) as (i & B).
    destruct (Z.le_gt_cases (Z.of_nat x) (last i r)) as [|G]; [left; exists i; cbn; lia|right].
    pose proof (first_next i r Hr) as F. pose proof (last_next i r Hr) as E. pose proof (full i r Hr) as N.
    pose proof (far _ Hs i) as P. specialize (takes r Hr).
    set (t := Nat.max (low r) (Z.to_nat (Z.of_nat x - last i (next r)))).
    exists ((x - t)%nat, next r). split; [apply in_taking; exists t; unfold t; repeat split; lia|].
    exists i. cbn [fst snd]. unfold t. lia.
  Qed.

  (** The P-positions are those in runs. *)
  Theorem runs_right x r : row r -> (Ppos _ options (x, r) <-> exists j, first j r <= Z.of_nat x <= last j r).
  Proof.
    set (valid := fun a : nat * Row => row (snd a)). set (measure := fun a : nat * Row => N.of_nat (fst a)).
    assert (lower : forall a b, valid a -> In b (options a) -> valid b /\ (measure b < measure a)%N).
    { intros [y s] b V I. apply in_taking in I as (t & L & Lx & ->). unfold valid, measure in *. cbn [fst snd] in *.
      specialize (takes s V). split; [auto|lia]. }
    intros Hr. revert Hr. change (row r) with (valid (x, r)). change (exists j, _) with (in_run (x, r)). revert x r.
    assert (G : forall a, valid a -> (Ppos _ options a <-> in_run a)); [|intros x r; apply G].
    apply (by_measure _ options valid measure lower). intros [x r] V IH.
    rewrite (P_rule _ options valid measure lower _ V). split; intros H.
    - destruct (move_into_run x r V) as [|(b & I & Hb)]; [assumption|]. now destruct (H b I (proj2 (IH b I) Hb)).
    - intros b I HP. exact (no_move_between_runs x r V H b I (proj1 (IH b I) HP)).
  Qed.
  (** There are no more runs below x than stones: so a formula need not name more. *)
  Corollary runs_right_below x r : row r ->
    (Ppos _ options (x, r) <-> exists j, (0 <= j <= x)%nat /\ first j r <= Z.of_nat x <= last j r).
  Proof.
    intros Hr. rewrite (runs_right x r Hr). split; [|intros (j & _ & H); eauto].
    intros (j & H). exists j. pose proof (far r Hr j). split; [lia|exact H].
  Qed.
End Runs.

(** ** One pile, with a limit for each turn *)
Fixpoint sum (n : nat) (g : nat -> nat) : nat := match n with 0 => 0 | S n => sum n g + g n end.
Lemma sum_shift n : forall g, sum (S n) g = g 0 + sum n (fun i => g (S i)).
Proof. induction n as [|n IH]; intros g; [cbn; lia|]. cbn [sum] in *. rewrite IH. lia. Qed.
Lemma sum_same n g h : (forall i, g i = h i) -> sum n g = sum n h.
Proof. intros E. induction n as [|n IH]; [reflexivity|]. cbn [sum]. now rewrite IH, E. Qed.

(** In turn k, from 1 to f k stones are taken; the turns are counted from 1. *)
Definition turns (f : nat -> nat) : nat * nat -> list (nat * nat) := taking (fun _ => 1) f S.
Definition from_1 (k : nat) : Prop := 1 <= k.

(** The limit is at least 1, and does not decrease from the second turn on. *)
Definition nondecreasing (f : nat -> nat) : Prop := (forall k, 1 <= k -> 1 <= f k) /\ (forall k, 2 <= k -> f k <= f (S k)).

Theorem turn_limit f : nondecreasing f -> forall u k, 1 <= k ->
  (Ppos _ (turns f) (u, k) <-> exists j, 0 <= j <= u /\ j + sum j (fun i => f (k + 2 * i)) <= u <= j + sum j (fun i => f (k + 2 * i + 1))).
Proof.
  intros [least rises] u k Hk.
  assert (R : runs (fun _ => 1) f S from_1 (fun j k => Z.of_nat (j + sum j (fun i => f (k + 2 * i))))
    (fun j k => Z.of_nat (j + sum j (fun i => f (k + 2 * i + 1))))); [|rewrite (runs_right_below _ _ _ _ _ _ _ R u k Hk)].
  - unfold from_1. split; [lia| | |reflexivity| |].
    + intros r Hr. specialize (least r Hr). lia.
    + intros r Hr. specialize (rises (S r)). lia.
    + intros j r _. rewrite sum_shift, (sum_same j _ (fun i => f (S r + 2 * i + 1))) by (intros i; f_equal; lia).
      replace (r + 2 * 0) with r by lia. lia.
    + intros j r _. rewrite (sum_same j (fun i => f (r + 2 * i + 1)) (fun i => f (S r + 2 * i))) by (intros i; f_equal; lia). lia.
  - split; intros (j & B & H); exists j; cbv beta in *; lia.
Qed.

(** ** The limit m * k: Section 3.4 of the paper. [P35] is the set of its Definition 29. *)
Definition P35 (m : nat) (a : nat * nat) : Prop :=
  let (u, k) := a in exists n, n * (m * n + m * (k - 1) + 1) <= u <= n * (m * n + m * (k - 1) + 1) + m * n.
Definition multiple (m : nat) : nat * nat -> list (nat * nat) := turns (fun k => m * k).

Section Multiple.
  Variable m : nat.
  Hypothesis Hm : 1 <= m.
  Let first (n k : nat) : Z := Z.of_nat (n * (m * n + m * (k - 1) + 1)).
  Let last (n k : nat) : Z := Z.of_nat (n * (m * n + m * (k - 1) + 1) + m * n).
  Lemma multiple_runs : runs (fun _ => 1) (fun k => m * k) S from_1 first last.
  Proof.
    unfold from_1, first, last. split; [lia|nia|nia|reflexivity| |]; intros n [|r] Hr; try lia;
      replace (S (S r) - 1) with (S r) by lia; replace (S r - 1) with r by lia; lia.
  Qed.
  Lemma in_P35 u k : P35 m (u, k) <-> in_run nat first last (u, k).
  Proof. unfold P35, in_run, first, last. cbn [fst snd]. split; intros (n & H); exists n; lia. Qed.

  Theorem lemma_33 u k : 1 <= k -> P35 m (u, k) -> forall b, In b (multiple m (u, k)) -> ~ P35 m b.
  Proof.
    intros Hk H [v s] I. rewrite in_P35 in *. exact (no_move_between_runs _ _ _ _ _ _ _ multiple_runs u k Hk H _ I).
  Qed.
  Theorem lemma_34 u k : 1 <= k -> ~ P35 m (u, k) -> exists b, In b (multiple m (u, k)) /\ P35 m b.
  Proof.
    intros Hk H. rewrite in_P35 in H. destruct (move_into_run _ _ _ _ _ _ _ multiple_runs u k Hk) as [|([v s] & I & Hb)]; [contradiction|].
    exists (v, s). now rewrite in_P35.
  Qed.
  Theorem theorem_35 u k : 1 <= k -> (Ppos _ (multiple m) (u, k) <-> P35 m (u, k)).
  Proof. intros Hk. rewrite in_P35. exact (runs_right _ _ _ _ _ _ _ multiple_runs u k Hk). Qed.
End Multiple.
