(** Formulas about natural numbers, what they mean, and a decision procedure that is proved right. Nobody needs to read this
    to know what a theorem about a game says: formulas are what conditions are turned into (Language.v). *)
From Coq Require Import List Bool Arith NArith ZArith Lia FMapPositive.
From Grundylab Require Import Kernel.
Import ListNotations.
Set Implicit Arguments.

(** Variables are numbered: [FEx f] binds variable 0, and in it the others move up by one. [cs]: (variable, coefficient),
    sorted by variable, or it is slow. *)
Inductive formula :=
| FLe (cs : list (nat * Z)) (c : Z)          (* sum + c <= 0 *)
| FEq (cs : list (nat * Z)) (c : Z)          (* sum + c = 0 *)
| FDigits (t : tree bool)                    (* t is true of the digits at every place *)
| FNot (f : formula)
| FAnd (f g : formula) | FOr (f g : formula) | FImp (f g : formula) | FIff (f g : formula)
| FEx (f : formula)
| FAut (A : aut) (args : list nat).          (* the automaton accepts these variables *)

Definition lin (cs : list (nat * Z)) (env : list N) : Z :=
  fold_right (fun xa s => snd xa * Z.of_N (var env (fst xa)) + s)%Z 0%Z cs.
Definition digits_at (env : list N) (i : N) : list bool := map (fun v => N.testbit v i) env.

Fixpoint holds (f : formula) (env : list N) : Prop :=
  match f with
  | FLe cs c => (lin cs env + c <= 0)%Z
  | FEq cs c => (lin cs env + c = 0)%Z
  | FDigits t => forall i, eval t (digits_at env i) = true
  | FNot f => ~ holds f env
  | FAnd f g => holds f env /\ holds g env
  | FOr f g => holds f env \/ holds g env
  | FImp f g => holds f env -> holds g env
  | FIff f g => holds f env <-> holds g env
  | FEx f => exists v, holds f (v :: env)
  | FAut A args => lang A (init A) (pick env args) = true
  end.

(** ** Linear atoms: the state is what the rest must make up for *)
Fixpoint ltree (cs : list (nat * Z)) (s : Z) : tree Z :=
  match cs with
  | [] => Leaf s
  | (x, a) :: cs => Node x (ltree cs s) (ltree cs (s + a)%Z)
  end.
Definition b2z (b : bool) : Z := if b then 1%Z else 0%Z.
Definition linb (cs : list (nat * Z)) (b : list bool) : Z :=
  fold_right (fun xa s => snd xa * b2z (nth (fst xa) b false) + s)%Z 0%Z cs.
Lemma eval_ltree cs b s : eval (ltree cs s) b = (s + linb cs b)%Z.
Proof.
  revert s. induction cs as [|[x a] cs IH]; intros s; cbn [ltree eval]; [cbn; lia|].
  change (linb ((x, a) :: cs) b) with (a * b2z (nth x b false) + linb cs b)%Z.
  rewrite !IH. destruct (nth x b false); cbn [b2z]; lia.
Qed.
Lemma lin_halves cs env : lin cs env = (2 * lin cs (halves env) + linb cs (bits env))%Z.
Proof.
  induction cs as [|[x a] cs IH]; [reflexivity|]. cbn [lin linb fold_right fst snd].
  fold (lin cs env) (lin cs (halves env)) (linb cs (bits env)). rewrite IH, var_halves, nth_bits.
  assert (H : Z.of_N (var env x) = (2 * Z.of_N (N.div2 (var env x)) + b2z (N.odd (var env x)))%Z).
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

(** [eq]: sum + s = 0, else sum + s <= 0 *)
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
Definition not_abs A : abs :=
  @Abs positive (init A) (delta A) (fun s => negb (acc A s)) (fun q => q) Pos.eqb (fun s t => proj1 (Pos.eqb_eq s t)).
Lemma not_meaning A : wf A -> meaning (not_abs A) (fun s env => lang A s env = false).
Proof.
  intros W. split; cbn.
  - intros s env H. rewrite lang_zero by assumption. now destruct (acc A s).
  - intros s env. now rewrite (lang_step s env W).
Qed.
Definition ren_abs (args : list nat) A : abs :=
  @Abs positive (init A) (fun s => tren args (delta A s)) (acc A) (fun q => q) Pos.eqb (fun s t => proj1 (Pos.eqb_eq s t)).
Lemma pick0 env args : size env = 0 -> size (pick env args) = 0.
Proof.
  intros H. induction args as [|x args IH]; [reflexivity|]. unfold pick in *. cbn.
  fold (size (map (var env) args)). rewrite IH, size0 by assumption. reflexivity.
Qed.
Lemma ren_meaning args A : wf A -> meaning (ren_abs args A) (fun s env => lang A s (pick env args) = true).
Proof.
  intros W. split; cbn.
  - intros s env H. now rewrite lang_zero by (now apply pick0).
  - intros s env. rewrite (lang_step s _ W), eval_tren.
    replace (bits (pick env args)) with (map (fun i => nth i (bits env) false) args).
    2: { unfold pick, bits at 2. rewrite map_map. apply map_ext. intros. apply nth_bits. }
    replace (halves (pick env args)) with (pick (halves env) args); [reflexivity|].
    unfold pick, halves at 2. rewrite map_map. apply map_ext. intros. apply var_halves.
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

(** states that reject, or accept, everything *)
Definition stuck (A : aut) (a : bool) (q : positive) : bool :=
  Bool.eqb (acc A q) a && match delta A q with Leaf q' => Pos.eqb q q' | _ => false end.
Lemma stuck_ok A a q env : stuck A a q = true -> lang A q env = a.
Proof.
  unfold stuck. intros [H1 H2]%andb_prop. apply eqb_prop in H1.
  destruct (delta A q) as [q'|] eqn:E; [|discriminate]. apply Pos.eqb_eq in H2. subst q'.
  unfold lang. generalize (size env) as n. intros n. revert env.
  induction n as [|n IH]; intros env; cbn; [exact H1|]. rewrite E. apply IH.
Qed.

(** a state that accepts everything makes the others needless *)
Definition norm (top : option positive) (Q : list positive) : list positive :=
  match top with Some q => if existsb (Pos.eqb q) Q then [q] else Q | None => Q end.
Definition top_of (A : aut) : option positive := find (stuck A true) (map fst (PM.elements (table A))).
Definition inF (F : PM.t unit) (q : positive) : bool := match PM.find q F with Some _ => true | None => false end.
Definition reaches (A : aut) (F : PM.t unit) (ic : positive * cell) : bool :=
  let '(i, (t, a)) := ic in a || inF F (eval t [false]) || inF F (eval t [true]).
Definition round A (els : list (positive * cell)) (F : PM.t unit) : PM.t unit :=
  fold_left (fun F ic => if reaches A F ic then PM.add (fst ic) tt F else F) els F.
Definition stable A els F : bool := forallb (fun ic => implb (reaches A F ic) (inF F (fst ic))) els.
Fixpoint rounds n A els F := match n with O => F | S n => if stable A els F then F else rounds n A els (round A els F) end.

(** the states from which digits of variable 0 alone lead to acceptance *)
Definition closure A : PM.t unit := let els := PM.elements (table A) in rounds (S (length els)) A els (PM.empty unit).

(** what a state leads to by either digit of variable 0, without the states that reject everything *)
Definition drop (dead : positive -> bool) (q : positive) : list positive := if dead q then [] else [q].
Definition project (dead : positive -> bool) (t : tree positive) : tree (list positive) :=
  tapply merge (tmap (drop dead) (restrict false t)) (tmap (drop dead) (restrict true t)).
Definition projected A (P : PM.t (tree (list positive))) (q : positive) : tree (list positive) :=
  match PM.find q P with Some t => t | None => project (stuck A false) (delta A q) end.
Definition projections A : PM.t (tree (list positive)) :=
  let dead := PM.mapi (fun q _ => stuck A false q) (table A) in
  let is_dead q := match PM.find q dead with Some b => b | None => stuck A false q end in
  PM.map (fun c : cell => project is_dead (fst c)) (table A).

Definition ex_abs A (F : PM.t unit) : abs :=
  let top := top_of A in
  let P := projections A in
  @Abs (list positive) [init A]
    (fun Q => tmap (norm top) (fold_right (fun q u => tapply merge (projected A P q) u) (Leaf []) Q))
    (existsb (inF F)) serl list_eqb list_eqb_ok.
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
Definition sound A F := forall q, inF F q = true -> forall env, size env = 0 -> exists v, lang A q (v :: env) = true.
Definition double_b (b : bool) v := if b then N.succ_double v else N.double v.
Lemma odd_double b v : N.odd (double_b b v) = b. Proof. now destruct b, v. Qed.
Lemma div2_double b v : N.div2 (double_b b v) = v. Proof. now destruct b, v. Qed.
Lemma reaches_ok A F i c : wf A -> sound A F -> PM.find i (table A) = Some c -> reaches A F (i, c) = true ->
  forall env, size env = 0 -> exists v, lang A i (v :: env) = true.
Proof.
  intros W HF E H env H0. destruct c as [t a].
  assert (step : forall b, inF F (eval t [b]) = true -> exists v, lang A i (v :: env) = true).
  { intros b Hb. destruct (HF _ Hb (halves env) (halves0 _ H0)) as [v Hv]. exists (double_b b v).
    rewrite lang_step by assumption. rewrite bits_cons, halves_cons, odd_double, div2_double, eval_bits0 by assumption.
    unfold delta. now rewrite E. }
  unfold reaches in H. apply orb_prop in H as [[H|H]%orb_prop|H]; eauto.
  exists 0%N. rewrite lang_zero; [unfold acc; now rewrite E|].
  change (max (N.size_nat 0) (size env) = 0). now rewrite H0.
Qed.
Lemma round_sound A els F : wf A -> (forall i c, In (i, c) els -> PM.find i (table A) = Some c) ->
  sound A F -> sound A (round A els F).
Proof.
  intros W. revert F. unfold round. induction els as [|[i c] els IH]; intros F He HF; cbn [fold_left]; auto.
  apply IH; [intros; apply He; now right|].
  destruct (reaches A F (i, c)) eqn:E; [|exact HF].
  intros q Hq env H0. cbn [fst] in Hq. unfold inF in Hq.
  destruct (Pos.eq_dec q i) as [->|n].
  - eapply reaches_ok; eauto. apply He. now left.
  - rewrite PM.gso in Hq by assumption. now apply (HF q).
Qed.
Lemma closure_sound A : wf A -> sound A (closure A).
Proof.
  intros W. unfold closure. set (els := PM.elements (table A)).
  assert (He : forall i c, In (i, c) els -> PM.find i (table A) = Some c).
  { intros i c. apply PM.elements_complete. }
  assert (H0 : sound A (PM.empty unit)).
  { intros q. unfold inF. rewrite PM.gempty. discriminate. }
  revert H0. generalize (PM.empty unit) as F. generalize (S (length els)) as n.
  induction n as [|n IH]; intros F HF; cbn; auto.
  destruct (stable A els F); auto. apply IH. now apply round_sound.
Qed.
Lemma stable_complete A F : wf A -> stable A (PM.elements (table A)) F = true ->
  forall n v, N.size_nat v <= n -> forall q env, size env = 0 -> lang A q (v :: env) = true -> inF F q = true.
Proof.
  intros W HS. unfold stable in HS. rewrite forallb_forall in HS.
  assert (G : forall q t a, PM.find q (table A) = Some (t, a) ->
     a || inF F (eval t [false]) || inF F (eval t [true]) = true -> inF F q = true).
  { intros q t a E H. apply PM.elements_correct, HS in E. unfold reaches in E. rewrite H in E. exact E. }
  induction n as [|n IH]; intros v Hv q env H0 HL.
  - rewrite lang_zero in HL. 2: { change (max (N.size_nat v) (size env) = 0). lia. }
    unfold acc in HL. destruct (PM.find q (table A)) as [[t a]|] eqn:E; [|discriminate].
    apply (G _ _ _ E). now rewrite HL.
  - destruct (PM.find q (table A)) as [[t a]|] eqn:E.
    + apply (G _ _ _ E). rewrite lang_step in HL by assumption.
      rewrite bits_cons, halves_cons, eval_bits0 in HL by assumption.
      apply IH in HL; [| rewrite size_div2; lia | now apply halves0].
      unfold delta in HL. rewrite E in HL. destruct (N.odd v); rewrite HL; now rewrite ?orb_true_r.
    + rewrite (@stuck_ok A false) in HL; [discriminate|]. unfold stuck, acc, delta. rewrite E. cbn. apply Pos.eqb_refl.
Qed.
Lemma norm_ok A Q env :
  (exists v q, In q (norm (top_of A) Q) /\ lang A q (v :: env) = true) <-> (exists v q, In q Q /\ lang A q (v :: env) = true).
Proof.
  unfold norm. destruct (top_of A) as [q0|] eqn:E; [|reflexivity].
  apply find_some in E as [_ E]. destruct (existsb (Pos.eqb q0) Q) eqn:EQ; [|reflexivity].
  apply existsb_exists in EQ as (q1 & E1 & E2). apply Pos.eqb_eq in E2. subst q1.
  split; intros _; exists 0%N, q0; (split; [cbn; auto|now apply stuck_ok]).
Qed.
Lemma ex_meaning A F : wf A -> sound A F -> stable A (PM.elements (table A)) F = true ->
  meaning (ex_abs A F) (fun Q env => exists v q, In q Q /\ lang A q (v :: env) = true).
Proof.
  intros W HF HS. split.
  - intros Q env H0. cbn. rewrite existsb_exists. split.
    + intros (v & q & Hq & HL). exists q. split; auto. exact (@stable_complete A F W HS (N.size_nat v) v (le_n _) q env H0 HL).
    + intros (q & Hq & HL). destruct (HF _ HL _ H0) as [v Hv]. eauto.
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
Definition mk_prod op a b := bind a (fun A => bind b (fun B => finish (prod_abs op A B))).
Definition mk_not a := bind a (fun A => finish (not_abs A)).
Definition mk_ex a := bind a (fun A =>
  let F := closure A in if stable A (PM.elements (table A)) F then finish (ex_abs A F) else None).

Fixpoint compile (f : formula) : option aut :=
  match f with
  | FLe cs c => finish (lin_abs false cs c)
  | FEq cs c => finish (lin_abs true cs c)
  | FDigits t => finish (digits_abs t)
  | FNot f => mk_not (compile f)
  | FAnd f g => mk_prod andb (compile f) (compile g)
  | FOr f g => mk_prod orb (compile f) (compile g)
  | FImp f g => mk_prod implb (compile f) (compile g)
  | FIff f g => mk_prod Bool.eqb (compile f) (compile g)
  | FEx f => mk_ex (compile f)
  | FAut A args => if wfb A then finish (ren_abs args A) else None
  end.

Lemma prod_ok op a b A P Q (R : list N -> Prop) :
  (forall A, a = Some A -> means A P) -> (forall B, b = Some B -> means B Q) ->
  (forall env x y, (x = true <-> P env) -> (y = true <-> Q env) -> (op x y = true <-> R env)) ->
  mk_prod op a b = Some A -> means A R.
Proof.
  intros Ha Hb HR. unfold mk_prod. destruct a as [A1|]; [|discriminate]. destruct b as [B1|]; [|discriminate]. cbn.
  destruct (Ha _ eq_refl) as [WA LA], (Hb _ eq_refl) as [WB LB]. intros HF.
  destruct (finish_ok (prod_meaning op WA WB) HF) as [W L]. split; [exact W|]. intros env. rewrite L. cbn. now apply HR.
Qed.
Lemma not_ok a A P : (forall A, a = Some A -> means A P) -> mk_not a = Some A -> means A (fun env => ~ P env).
Proof.
  intros Ha. unfold mk_not. destruct a as [A1|]; [|discriminate]. cbn. destruct (Ha _ eq_refl) as [WA LA]. intros HF.
  destruct (finish_ok (not_meaning WA) HF) as [W L]. split; [exact W|]. intros env. rewrite L. cbn.
  rewrite <- LA. now destruct (lang A1 (init A1) env).
Qed.
Lemma ex_ok a A P : (forall A, a = Some A -> means A P) -> mk_ex a = Some A -> means A (fun env => exists v, P (v :: env)).
Proof.
  intros Ha. unfold mk_ex. destruct a as [A1|]; [|discriminate]. cbn. destruct (Ha _ eq_refl) as [WA LA].
  destruct (stable A1 _ _) eqn:ES; [|discriminate]. intros HF.
  destruct (finish_ok (ex_meaning WA (closure_sound WA) ES) HF) as [W L]. split; [exact W|]. intros env. rewrite L.
  cbn [ainit ex_abs]. split.
  - intros (v & q & [<-|[]] & H). exists v. now apply LA.
  - intros (v & H). exists v, (init A1). split; [now left|]. now apply LA.
Qed.
Ltac product := intros env x y <- <-; destruct x, y; cbn; intuition congruence.

Theorem compile_ok f : forall A, compile f = Some A -> means A (holds f).
Proof.
  induction f; cbn [compile holds]; intros B H.
  - exact (finish_ok (lin_meaning false cs c) H).
  - exact (finish_ok (lin_meaning true cs c) H).
  - destruct (finish_ok (digits_meaning t) H) as [W L]. split; [exact W|]. intros env. rewrite L. cbn. tauto.
  - now apply (not_ok (P := holds f)) in H.
  - refine (@prod_ok andb _ _ _ _ _ (fun env => holds f1 env /\ holds f2 env) IHf1 IHf2 _ H); product.
  - refine (@prod_ok orb _ _ _ _ _ (fun env => holds f1 env \/ holds f2 env) IHf1 IHf2 _ H); product.
  - refine (@prod_ok implb _ _ _ _ _ (fun env => holds f1 env -> holds f2 env) IHf1 IHf2 _ H); product.
  - refine (@prod_ok Bool.eqb _ _ _ _ _ (fun env => holds f1 env <-> holds f2 env) IHf1 IHf2 _ H); product.
  - now apply (ex_ok (P := holds f)) in H.
  - destruct (wfb A) eqn:E; [|discriminate].
    destruct (finish_ok (ren_meaning args (wfb_ok _ E)) H) as [W L]. split; [exact W|]. intros env. now rewrite L.
Qed.

(** every state that is there accepts, and leads to states that are there *)
Definition all_accept (A : aut) : bool :=
  PM.mem (init A) (table A) &&
  forallb (fun ic : positive * cell => let '(_, (t, a)) := ic in a && tall (tmap (fun j => PM.mem j (table A)) t))
    (PM.elements (table A)).
Lemma all_accept_ok A env : all_accept A = true -> lang A (init A) env = true.
Proof.
  unfold all_accept. intros [H0 H]%andb_prop. rewrite forallb_forall in H.
  unfold lang. revert H0. generalize (init A) as q. generalize (size env) as n. intros n. revert env.
  induction n as [|n IH]; intros env q Hq; cbn; rewrite PM.mem_find in Hq;
    [unfold acc|unfold delta]; destruct (PM.find q (table A)) as [[t a]|] eqn:E; try discriminate;
    apply PM.elements_correct, H in E; apply andb_prop in E as [E1 E2]; auto.
  apply IH. apply tall_ok with (b := bits env) in E2. now rewrite eval_tmap in E2.
Qed.
Definition decide (f : formula) : bool := match compile f with Some A => all_accept A | None => false end.
Theorem decide_correct f : decide f = true -> forall env, holds f env.
Proof.
  unfold decide. destruct (compile f) as [A|] eqn:E; [|discriminate]. intros H env.
  apply (compile_ok f E). now apply all_accept_ok.
Qed.
