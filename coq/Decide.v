(** Formulas about natural numbers, their meaning, and a decision procedure that is proved right. To understand what a theorem
    about a game says, one need not read this file: formulas only occur in the proofs (Language.v makes them from
    conditions). *)
From Coq Require Import List Bool Arith NArith ZArith Lia FMapPositive.
From Grundylab Require Import Kernel.
Import ListNotations.
Set Implicit Arguments.

(** Variables are numbers. [FEx f] binds variable 0 in f, where the numbers of all other variables are greater by one. [cs] is
    a sum of variables, as pairs (variable, coefficient); they should be sorted by variable, or the procedure is slow. *)
Inductive connective := CAnd | COr | CImp | CIff.
Inductive formula :=
| FLe (cs : list (nat * Z)) (c : Z)          (* sum + c <= 0 *)
| FEq (cs : list (nat * Z)) (c : Z)          (* sum + c = 0 *)
| FDigits (t : tree bool)                    (* at every place, t is true of the variables' digits *)
| FNot (f : formula)
| FOp (o : connective) (f g : formula)
| FEx (f : formula)
| FAut (A : aut) (args : list nat).          (* the automaton accepts the values of these variables *)

Notation FAnd := (FOp CAnd). Notation FOr := (FOp COr). Notation FImp := (FOp CImp). Notation FIff := (FOp CIff).

Definition lin (cs : list (nat * Z)) (env : list N) : Z :=
  fold_right (fun xa s => snd xa * Z.of_N (var env (fst xa)) + s)%Z 0%Z cs.
Definition digits_at (env : list N) (i : N) : list bool := map (fun v => N.testbit v i) env.

Fixpoint holds (f : formula) (env : list N) : Prop :=
  match f with
  | FLe cs c => (lin cs env + c <= 0)%Z
  | FEq cs c => (lin cs env + c = 0)%Z
  | FDigits t => forall i, eval t (digits_at env i) = true
  | FNot f => ~ holds f env
  | FOp CAnd f g => holds f env /\ holds g env
  | FOp COr f g => holds f env \/ holds g env
  | FOp CImp f g => holds f env -> holds g env
  | FOp CIff f g => holds f env <-> holds g env
  | FEx f => exists v, holds f (v :: env)
  | FAut A args => lang A (init A) (pick env args) = true
  end.

(** ** Linear atoms: the state is the constant that the variables' remaining digits must make up for *)
Fixpoint ltree (cs : list (nat * Z)) (s : Z) : tree Z :=
  match cs with
  | [] => Leaf s
  | (x, a) :: cs => Node x (ltree cs s) (ltree cs (s + a)%Z)
  end.
Definition linb (cs : list (nat * Z)) (b : list bool) : Z :=
  fold_right (fun xa s => snd xa * Z.b2z (nth (fst xa) b false) + s)%Z 0%Z cs.
Lemma eval_ltree cs b s : eval (ltree cs s) b = (s + linb cs b)%Z.
Proof.
  revert s. induction cs as [|[x a] cs IH]; intros s; cbn [ltree eval]; [cbn; lia|].
  change (linb ((x, a) :: cs) b) with (a * Z.b2z (nth x b false) + linb cs b)%Z.
  rewrite !IH. destruct (nth x b false); cbn [Z.b2z]; lia.
Qed.
Lemma lin_halves cs env : lin cs env = (2 * lin cs (halves env) + linb cs (bits env))%Z.
Proof.
  induction cs as [|[x a] cs IH]; [reflexivity|]. cbn [lin linb fold_right fst snd].
  fold (lin cs env) (lin cs (halves env)) (linb cs (bits env)). rewrite IH, var_halves, nth_bits.
  assert (H : Z.of_N (var env x) = (2 * Z.of_N (N.div2 (var env x)) + Z.b2z (N.odd (var env x)))%Z).
  { now destruct (var env x) as [|[p|p|]]. }
  rewrite H. lia.
Qed.
Lemma lin_zero cs env : size env = 0 -> lin cs env = 0%Z.
Proof.
  intros H. induction cs as [|[x a] cs IH]; [reflexivity|]. cbn. fold (lin cs env).
  rewrite IH, size0 by assumption. cbn. lia.
Qed.
Definition zkey (z : Z) : positive := match z with Z0 => xH | Zpos p => xO p | Zneg p => xI p end.
Definition ozkey (z : option Z) : positive := match z with Some z => xO (zkey z) | None => xH end.
Definition ozeqb (a b : option Z) : bool :=
  match a, b with Some a, Some b => Z.eqb a b | None, None => true | _, _ => false end.
Lemma ozeqb_ok a b : ozeqb a b = true -> a = b.
Proof. destruct a, b; cbn; try discriminate; auto. intros H%Z.eqb_eq. now subst. Qed.

(** A state s means: sum + s = 0 if [eq] is true, else sum + s <= 0. No state ([None]) accepts nothing. *)
Definition lin_abs (eq : bool) cs c : abs :=
  @Abs (option Z) (Some c)
    (fun s => match s with
              | Some s => tmap (fun t => if eq then if Z.even t then Some (Z.div2 t) else None else Some (- Z.div2 (- t))%Z) (ltree cs s)
              | None => Leaf None end)
    (fun s => match s with Some s => if eq then Z.eqb s 0 else Z.leb s 0 | None => false end) ozkey ozeqb ozeqb_ok.
Lemma lin_meaning eq cs c : meaning (lin_abs eq cs c)
  (fun s env => match s with Some s => if eq then lin cs env + s = 0 else lin cs env + s <= 0 | None => False end)%Z.
Proof.
  split; cbn.
  - intros [s|] env H; [|easy]. rewrite lin_zero by assumption. destruct eq; [now rewrite Z.eqb_eq|now rewrite Z.leb_le].
  - intros [s|] env; [|easy]. rewrite eval_tmap, eval_ltree, (lin_halves cs env). set (b := linb cs (bits env)). destruct eq.
    + pose proof (Z.div2_odd (s + b)) as H. rewrite <- Z.negb_odd. destruct (Z.odd (s + b)); cbn [negb Z.b2z] in *; lia.
    + pose proof (Z.div2_odd (- (s + b))) as H. destruct (Z.odd (- (s + b))); cbn [Z.b2z] in *; lia.
Qed.

(** ** Digitwise atoms *)
Definition digits_abs (t : tree bool) : abs :=
  @Abs bool true (fun s => if s then t else Leaf false) (fun s => s && eval t [])
    (fun s : bool => if s then xO xH else xH) Bool.eqb eqb_prop.
Lemma nth_digits env i x : nth x (digits_at env i) false = N.testbit (var env x) i.
Proof.
  unfold digits_at, var. rewrite <- (map_nth (fun v => N.testbit v i)). now rewrite N.bits_0.
Qed.
Lemma digits_meaning t : meaning (digits_abs t) (fun s env => s = true /\ forall i, eval t (digits_at env i) = true).
Proof.
  split; cbn.
  - intros s env H.
    assert (E : forall i, eval t (digits_at env i) = eval t []).
    { intros i. apply eval_zeros. intros x. rewrite nth_digits, size0, N.bits_0 by assumption. now destruct x. }
    split.
    + intros [-> G]. cbn. now rewrite <- (E 0%N).
    + intros [? ?]%andb_prop. split; auto. intros i. now rewrite E.
  - intros [|] env; cbn; [|easy].
    assert (E0 : eval t (digits_at env 0) = eval t (bits env)).
    { apply eval_zeros. intros x. now rewrite nth_digits, nth_bits, N.bit0_odd. }
    assert (ES : forall i, eval t (digits_at env (N.succ i)) = eval t (digits_at (halves env) i)).
    { intros i. apply eval_zeros. intros x. rewrite !nth_digits, var_halves.
      rewrite N.div2_spec. rewrite N.shiftr_spec'. f_equal. lia. }
    split.
    + intros [_ G]. split; [now rewrite <- E0|]. intros i. now rewrite <- ES.
    + intros [G0 G]. split; auto. intros i. destruct (N.eq_dec i 0) as [->|Hi]; [now rewrite E0|].
      replace i with (N.succ (N.pred i)) by lia. now rewrite ES.
Qed.

(** ** Connectives *)
Definition pair_eqb (a b : positive * positive) : bool := Pos.eqb (fst a) (fst b) && Pos.eqb (snd a) (snd b).
Lemma pair_eqb_ok a b : pair_eqb a b = true -> a = b.
Proof. destruct a, b. cbn. intros [H1 H2]%andb_prop. apply Pos.eqb_eq in H1, H2. cbn in *. congruence. Qed.
Definition prod_abs (op : bool -> bool -> bool) A B : abs :=
  @Abs (positive * positive) (init A, init B) (fun s => tapply pair (delta A (fst s)) (delta B (snd s)))
    (fun s => op (acc A (fst s)) (acc B (snd s))) (fun s => serp (fst s) (snd s)) pair_eqb pair_eqb_ok.
Lemma prod_meaning op A B : wf A -> wf B ->
  meaning (prod_abs op A B) (fun s env => op (lang A (fst s) env) (lang B (snd s) env) = true).
Proof.
  intros WA WB. split; cbn.
  - intros s env H. now rewrite !lang_zero.
  - intros s env. rewrite eval_tapply. cbn. now rewrite (lang_step (fst s) env WA), (lang_step (snd s) env WB).
Qed.
Definition not_abs := image (fun t => t) negb.
Definition ren_abs (args : list nat) := image (tren args) (fun b => b).
Lemma not_meaning A : wf A -> meaning (not_abs A) (fun s env => negb (lang A s env) = true).
Proof. intros W. now apply (image_meaning (fun t => t) negb (fun env => env)). Qed.
Lemma ren_meaning args A : wf A -> meaning (ren_abs args A) (fun s env => lang A s (pick env args) = true).
Proof.
  intros W. apply (image_meaning (tren args) (fun b => b) (fun env => pick env args)); [exact W|..].
  - intros env H. unfold pick. induction args as [|x args IH]; [reflexivity|]. cbn. fold (size (map (var env) args)).
    rewrite IH, size0 by assumption. reflexivity.
  - intros t env. rewrite eval_tren. f_equal. unfold pick, bits at 2. rewrite map_map. apply map_ext. intros. apply nth_bits.
  - intros env. unfold pick, halves at 1. rewrite map_map. apply map_ext. intros. symmetry. apply var_halves.
Qed.

(** ** The quantifier: sets of states, as sorted lists *)
Fixpoint merge (a : list positive) : list positive -> list positive :=
  match a with
  | [] => fun b => b
  | x :: a' =>
      fix go (b : list positive) : list positive :=
        match b with
        | [] => x :: a'
        | y :: b' =>
            match Pos.compare x y with
            | Eq => x :: merge a' b'
            | Lt => x :: merge a' b
            | Gt => y :: go b'
            end
        end
  end.

Lemma in_merge a b q : In q (merge a b) <-> In q a \/ In q b.
Proof.
  revert b. induction a as [|x a IHa]; intros b; [cbn; tauto|].
  induction b as [|y b IHb]; [cbn; tauto|].
  change (merge (x :: a) (y :: b)) with
    (match Pos.compare x y with
     | Eq => x :: merge a b | Lt => x :: merge a (y :: b) | Gt => y :: merge (x :: a) b end).
  destruct (Pos.compare_spec x y) as [->|L|L]; cbn [In].
  - rewrite IHa. tauto.
  - rewrite IHa. cbn [In]. tauto.
  - rewrite IHb. cbn [In]. tauto.
Qed.

Fixpoint list_eqb (a b : list positive) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => Pos.eqb x y && list_eqb a b
  | _, _ => false
  end.
Lemma list_eqb_ok a b : list_eqb a b = true -> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; auto.
  intros [H1 H2]%andb_prop. apply Pos.eqb_eq in H1. apply IH in H2. congruence.
Qed.

(** whether state q accepts everything (a = true) or nothing (a = false), since each digit leads back to it *)
Definition stuck (A : aut) (a : bool) (q : positive) : bool :=
  Bool.eqb (acc A q) a && match delta A q with Leaf q' => Pos.eqb q q' | _ => false end.
Lemma stuck_ok A a q env : stuck A a q = true -> lang A q env = a.
Proof.
  unfold stuck. intros [H1 H2]%andb_prop. apply eqb_prop in H1.
  destruct (delta A q) as [q'|] eqn:E; [|discriminate]. apply Pos.eqb_eq in H2. subst q'.
  unfold lang. generalize (size env) as n. intros n. revert env.
  induction n as [|n IH]; intros env; cbn; [exact H1|]. rewrite E. apply IH.
Qed.

(** in a set of states, one that accepts everything makes all others superfluous *)
Definition norm (top : option positive) (Q : list positive) : list positive :=
  match top with Some q => if existsb (Pos.eqb q) Q then [q] else Q | None => Q end.
Definition top_of (A : aut) : option positive := find (stuck A true) (map fst (PM.elements (table A))).
Definition reaches (A : aut) (good : positive -> bool) (q : positive) : bool :=
  acc A q || good (eval (delta A q) [false]) || good (eval (delta A q) [true]).
Definition round A els (st : positive * PM.t positive) : positive * PM.t positive :=
  fold_left (fun st (ic : positive * cell) => let (n, F) := (st : positive * PM.t positive) in let q := fst ic in
    if negb (PM.mem q F) && reaches A (fun q => PM.mem q F) q then (Pos.succ n, PM.add q n F) else st) els st.
Fixpoint rounds n A els st :=
  match n with O => st | S n => let st' := round A els st in if Pos.eqb (fst st') (fst st) then st else rounds n A els st' end.

(** The states from which some digits of variable 0, with zeros for all other variables, lead to acceptance. Each has a rank,
    and accepts itself or has a digit that leads to a lower rank. [closure] has no proof; [closed] checks its result. *)
Definition closure A : PM.t positive := let els := PM.elements (table A) in snd (rounds (S (length els)) A els (xH, PM.empty positive)).
Definition lower (F : PM.t positive) (n q : positive) : bool := match PM.find q F with Some m => Pos.ltb m n | None => false end.
Definition closed A F : bool :=
  forallb (fun qn => reaches A (lower F (snd qn)) (fst qn)) (PM.elements F) &&
  forallb (fun ic : positive * cell => implb (reaches A (fun q => PM.mem q F) (fst ic)) (PM.mem (fst ic) F)) (PM.elements (table A)).

(** the set of states to which the digits 0 and 1 of variable 0 lead, without the states that accept nothing *)
Definition drop (dead : positive -> bool) (q : positive) : list positive := if dead q then [] else [q].
Definition project (dead : positive -> bool) (t : tree positive) : tree (list positive) :=
  tapply merge (tmap (drop dead) (restrict false t)) (tmap (drop dead) (restrict true t)).
Definition projected A (P : PM.t (tree (list positive))) (q : positive) : tree (list positive) :=
  match PM.find q P with Some t => t | None => project (stuck A false) (delta A q) end.
Definition projections A : PM.t (tree (list positive)) :=
  let dead := PM.mapi (fun q _ => stuck A false q) (table A) in
  let is_dead q := match PM.find q dead with Some b => b | None => stuck A false q end in
  PM.map (fun c : cell => project is_dead (fst c)) (table A).

Definition ex_abs A (F : PM.t positive) : abs :=
  let top := top_of A in
  let P := projections A in
  @Abs (list positive) [init A]
    (fun Q => tmap (norm top) (fold_right (fun q u => tapply merge (projected A P q) u) (Leaf []) Q))
    (existsb (fun q => PM.mem q F)) serl list_eqb list_eqb_ok.
Lemma gmap_pm A B (f : A -> B) m i : PM.find i (PM.map f m) = option_map f (PM.find i m). Proof. apply PM.gmapi. Qed.
Lemma project_in A dead t q' b : (forall q, dead q = stuck A false q) ->
  In q' (eval (project dead t) b) <-> stuck A false q' = false /\ exists d, q' = eval t (d :: b).
Proof.
  intros Hd. unfold project. rewrite eval_tapply, in_merge, !eval_tmap, !eval_restrict. unfold drop. rewrite !Hd. split.
  - intros [H|H]; (destruct (stuck A false _) eqn:E in H; [destruct H|destruct H as [H|[]]; rewrite <- H; eauto]).
  - intros [H [[|] ->]]; rewrite H; [right|left]; now left.
Qed.
Lemma projected_in A q q' b :
  In q' (eval (projected A (projections A) q) b) <-> stuck A false q' = false /\ exists d, q' = eval (delta A q) (d :: b).
Proof.
  unfold projected, projections. rewrite gmap_pm. unfold delta.
  destruct (PM.find q (table A)) as [[t a]|] eqn:E; cbn [option_map fst]; apply project_in; auto.
  intros r. rewrite PM.gmapi. now destruct (PM.find r (table A)).
Qed.
Lemma bits_cons v env : bits (v :: env) = N.odd v :: bits env. Proof. reflexivity. Qed.
Lemma halves_cons v env : halves (v :: env) = N.div2 v :: halves env. Proof. reflexivity. Qed.
Lemma eval_bits0 A (t : tree A) b env : size env = 0 -> eval t (b :: bits env) = eval t [b].
Proof. intros H. apply eval_zeros. intros [|x]; cbn; auto. rewrite bits0 by assumption. reflexivity. Qed.
Lemma halves0 env : size env = 0 -> size (halves env) = 0. Proof. rewrite size_halves. now intros ->. Qed.
Definition double_b (b : bool) v := if b then N.succ_double v else N.double v.
Lemma odd_double b v : N.odd (double_b b v) = b. Proof. now destruct b, v. Qed.
Lemma div2_double b v : N.div2 (double_b b v) = v. Proof. now destruct b, v. Qed.
Lemma closed_ok A F : wf A -> closed A F = true ->
  forall q env, size env = 0 -> (PM.mem q F = true <-> exists v, lang A q (v :: env) = true).
Proof.
  unfold closed. intros W [S C]%andb_prop. rewrite forallb_forall in S, C.
  assert (Step : forall q b v env, size env = 0 ->
    lang A q (double_b b v :: env) = lang A (eval (delta A q) [b]) (v :: halves env)).
  { intros q b v env H0. rewrite lang_step, bits_cons, halves_cons, odd_double, div2_double, eval_bits0; auto. }
  assert (Sound : forall n m q, Pos.to_nat m < n -> PM.find q F = Some m -> forall env, size env = 0 -> exists v, lang A q (v :: env) = true).
  { induction n as [|n IH]; intros m q L E env H0; [lia|]. apply PM.elements_correct, S in E. cbn [fst snd] in E.
    assert (D : forall b, lower F m (eval (delta A q) [b]) = true -> exists v, lang A q (v :: env) = true).
    { intros b H. unfold lower in H. destruct (PM.find _ F) as [m'|] eqn:E'; [|discriminate]. apply Pos.ltb_lt in H.
      destruct (IH m' _ ltac:(lia) E' (halves env) (halves0 _ H0)) as [v Hv]. exists (double_b b v). now rewrite Step. }
    unfold reaches in E. apply orb_prop in E as [[E|E]%orb_prop|E]; [|eauto..]. exists 0%N. rewrite lang_zero; auto. }
  assert (Complete : forall n v, N.size_nat v <= n -> forall q env, size env = 0 -> lang A q (v :: env) = true -> PM.mem q F = true).
  { induction n as [|n IH]; intros v Lv q env H0 HL; (destruct (PM.find q (table A)) as [c|] eqn:E;
      [|rewrite (@stuck_ok A false) in HL; [discriminate|unfold stuck, acc, delta; rewrite E; apply Pos.eqb_refl]]);
      apply PM.elements_correct, C in E; cbn [fst] in E; unfold implb in E; (destruct (reaches _ _ q) eqn:R; [exact E|exfalso]); unfold reaches in R.
    - rewrite lang_zero in HL; [now rewrite HL in R|]. change (max (N.size_nat v) (size env) = 0). lia.
    - rewrite lang_step, bits_cons, halves_cons, eval_bits0 in HL by assumption.
      apply IH in HL; [|rewrite size_div2; lia|now apply halves0]. destruct (N.odd v); rewrite HL in R; now rewrite ?orb_true_r in R. }
  intros q env H0. split; [|intros [v Hv]; now apply (Complete _ v (le_n _) q env)].
  rewrite PM.mem_find. destruct (PM.find q F) as [m|] eqn:E; [|discriminate]. intros _. exact (Sound _ m q (le_n _) E env H0).
Qed.
Lemma norm_ok A Q env :
  (exists v q, In q (norm (top_of A) Q) /\ lang A q (v :: env) = true) <-> (exists v q, In q Q /\ lang A q (v :: env) = true).
Proof.
  unfold norm. destruct (top_of A) as [q0|] eqn:E; [|reflexivity].
  apply find_some in E as [_ E]. destruct (existsb (Pos.eqb q0) Q) eqn:EQ; [|reflexivity].
  apply existsb_exists in EQ as (q1 & E1 & E2). apply Pos.eqb_eq in E2. subst q1.
  split; intros _; exists 0%N, q0; (split; [cbn; auto|now apply stuck_ok]).
Qed.
Lemma ex_meaning A F : wf A -> closed A F = true ->
  meaning (ex_abs A F) (fun Q env => exists v q, In q Q /\ lang A q (v :: env) = true).
Proof.
  intros W HC. split.
  - intros Q env H0. cbn. rewrite existsb_exists. setoid_rewrite (fun q => @closed_ok A F W HC q env H0). firstorder.
  - intros Q env. cbn [astep ex_abs]. rewrite eval_tmap, norm_ok.
    set (T := fold_right _ _ _).
    assert (G : forall q', In q' (eval T (bits env)) <->
      stuck A false q' = false /\ exists b q, In q Q /\ q' = eval (delta A q) (b :: bits env)).
    { intros q'. subst T. induction Q as [|q Q IH]; cbn [fold_right].
      - cbn. split; [easy|]. intros (_ & ? & ? & [] & ?).
      - rewrite eval_tapply, in_merge, IH, projected_in. cbn [In]. split.
        + intros [[H (b & ->)]|[H (b & r & Hr & ->)]]; split; auto; [exists b, q|exists b, r]; auto.
        + intros [H (b & r & [<-|Hr] & ->)]; [left|right]; split; auto; [now exists b|now exists b, r]. }
    split.
    + intros (v & q & Hq & HL). rewrite lang_step in HL by assumption.
      exists (N.div2 v), (eval (delta A q) (N.odd v :: bits env)). split; [|exact HL].
      apply G. split; [|eauto]. destruct (stuck A false _) eqn:E; auto.
      rewrite bits_cons in HL. rewrite (@stuck_ok _ _ _ _ E) in HL. discriminate.
    + intros (v & q' & Hq & HL). apply G in Hq as (_ & b & q & Hq & ->).
      exists (double_b b v), q. split; auto. rewrite lang_step by assumption.
      now rewrite bits_cons, halves_cons, odd_double, div2_double.
Qed.

(** ** The decision procedure *)
Definition bind {A B} (a : option A) (f : A -> option B) : option B := match a with Some a => f a | None => None end.
Definition table_of (o : connective) : bool -> bool -> bool :=
  match o with CAnd => andb | COr => orb | CImp => implb | CIff => Bool.eqb end.
Fixpoint compile (f : formula) : option aut :=
  match f with
  | FLe cs c => finish (lin_abs false cs c)
  | FEq cs c => finish (lin_abs true cs c)
  | FDigits t => finish (digits_abs t)
  | FNot f => bind (compile f) (fun A => finish (not_abs A))
  | FOp o f g => bind (compile f) (fun A => bind (compile g) (fun B => finish (prod_abs (table_of o) A B)))
  | FEx f => bind (compile f) (fun A => let F := closure A in if closed A F then finish (ex_abs A F) else None)
  | FAut A args => if wfb A then finish (ren_abs args A) else None
  end.

Theorem compile_ok f : forall A, compile f = Some A -> means A (holds f).
Proof.
  induction f; cbn [compile holds]; intros B H.
  - exact (finish_ok (lin_meaning false cs c) H).
  - exact (finish_ok (lin_meaning true cs c) H).
  - destruct (finish_ok (digits_meaning t) H) as [W L]. split; [exact W|]. intros env. rewrite L. cbn. tauto.
  - destruct (compile f) as [A|]; [|discriminate]. destruct (IHf _ eq_refl) as [WA LA], (finish_ok (not_meaning WA) H) as [W L].
    split; [exact W|]. intros env. rewrite L, <- LA. cbn. destruct (lang A (init A) env); cbn; intuition congruence.
  - destruct (compile f1) as [A1|]; [|discriminate]. destruct (compile f2) as [A2|]; [|discriminate].
    destruct (IHf1 _ eq_refl) as [W1 L1], (IHf2 _ eq_refl) as [W2 L2], (finish_ok (prod_meaning (table_of o) W1 W2) H) as [W L].
    split; [exact W|]. intros env. rewrite L. cbn [ainit prod_abs fst snd].
    destruct o; rewrite <- L1, <- L2; destruct (lang A1 _ env), (lang A2 _ env); cbn; intuition congruence.
  - destruct (compile f) as [A|]; [|discriminate]. cbn [bind] in H. destruct (closed A _) eqn:EC; [|discriminate].
    destruct (IHf _ eq_refl) as [WA LA], (finish_ok (ex_meaning _ WA EC) H) as [W L]. split; [exact W|]. intros env. rewrite L. cbn [ainit ex_abs]. split.
    + intros (v & q & [<-|[]] & G). exists v. now apply LA.
    + intros (v & G). exists v, (init A). split; [now left|]. now apply LA.
  - destruct (wfb A) eqn:E; [|discriminate].
    destruct (finish_ok (ren_meaning args (wfb_ok _ E)) H) as [W L]. split; [exact W|]. intros env. now rewrite L.
Qed.

(** the check f of a value that may be missing; false if it is *)
Definition when {A} (a : option A) (f : A -> bool) : bool := match a with Some a => f a | None => false end.
Lemma when_ok A (a : option A) f : when a f = true -> exists x, a = Some x /\ f x = true.
Proof. destruct a as [x|]; [eauto|discriminate]. Qed.
Definition decide (f : formula) : bool := when (compile f) (fun A => stuck A true (init A)).
Theorem decide_correct f : decide f = true -> forall env, holds f env.
Proof. intros (A & E & H)%when_ok env. apply (compile_ok f E). now apply stuck_ok. Qed.
