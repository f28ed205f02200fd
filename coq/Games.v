(** Impartial games: the definitions of P-positions and Grundy numbers, and conditions under which an answer is right.
    To understand what a theorem about a game says, read the three definitions here (Ppos, grundy, Pmis), [options] in
    Rules.v, and [den] and [test] in Language.v. *)
From Coq Require Import List Bool Arith NArith Lia.
Import ListNotations.
Local Open Scope N_scope.

Section Games.
  Variable S : Type.
  Variable options : S -> list S.

  (** Normal play. From a P-position every move leads to an N-position; from an N-position some move leads to a P-position. *)
  Inductive Ppos : S -> Prop := P_intro a : (forall b, In b (options a) -> Npos b) -> Ppos a
  with Npos : S -> Prop := N_intro a b : In b (options a) -> Ppos b -> Npos a.

  (** The Grundy number of a position is the least natural number that is the Grundy number of none of its options. *)
  Inductive grundy : S -> N -> Prop :=
    grundy_intro a v :
      (forall b, In b (options a) -> exists w, grundy b w /\ w <> v) ->
      (forall w, w < v -> exists b, In b (options a) /\ grundy b w) -> grundy a v.

  (** Misère play: a player who cannot move wins. *)
  Inductive Pmis : S -> Prop :=
    Pmis_intro a b : In b (options a) -> (forall b, In b (options a) -> Nmis b) -> Pmis a
  with Nmis : S -> Prop :=
  | Nmis_end a : options a = [] -> Nmis a
  | Nmis_move a b : In b (options a) -> Pmis b -> Nmis a.

  (** ** Games that end: among the valid positions every move lowers a measure *)
  Variable valid : S -> Prop.
  Variable measure : S -> N.
  Hypothesis lower : forall a b, valid a -> In b (options a) -> valid b /\ measure b < measure a.
  Lemma by_measure (Q : S -> Prop) :
    (forall a, valid a -> (forall b, In b (options a) -> Q b) -> Q a) -> forall a, valid a -> Q a.
  Proof.
    intros H a. induction a as [a IH] using (well_founded_induction (Wf_nat.well_founded_ltof _ (fun a => N.to_nat (measure a)))).
    intros V. apply H; auto. intros b M. destruct (lower _ _ V M). apply IH; auto. unfold Wf_nat.ltof. lia.
  Qed.
  Lemma grundy_unique : forall a, valid a -> forall u v, grundy a u -> grundy a v -> u = v.
  Proof.
    apply (by_measure (fun a => forall u v, grundy a u -> grundy a v -> u = v)). intros a V IH.
    assert (L : forall u v, grundy a u -> grundy a v -> ~ u < v).
    { intros u v Hu Hv L. inversion Hu as [? ? G _]; inversion Hv as [? ? _ G']; subst.
      destruct (G' u L) as (b & M & Hb). destruct (G b M) as (w & Hw & n). apply n. exact (IH b M w u Hw Hb). }
    intros u v Hu Hv. pose proof (L u v Hu Hv). pose proof (L v u Hv Hu). lia.
  Qed.
  Lemma least_outside (l : list N) : exists v, ~ In v l /\ forall w, w < v -> In w l.
  Proof.
    assert (G : forall n, (exists v, ~ In v l /\ forall w, w < v -> In w l) \/ (forall w, w < N.of_nat n -> In w l)).
    { induction n as [|n [IH|IH]]; [right; lia|now left|].
      destruct (in_dec N.eq_dec (N.of_nat n) l) as [I|I]; [right|left; eauto].
      intros w L. destruct (N.eq_dec w (N.of_nat n)) as [->|]; [assumption|apply IH; lia]. }
    assert (M : exists m, forall w, In w l -> w < m).
    { clear G. induction l as [|x l [m Hm]]; [now exists 0|]. exists (N.max m (x + 1)). intros w [<-|I]; [lia|specialize (Hm w I); lia]. }
    destruct M as [m Hm]. destruct (G (1 + N.to_nat m)%nat) as [|H]; [assumption|]. specialize (Hm m (H m ltac:(lia))). lia.
  Qed.
  Lemma grundy_exists : forall a, valid a -> exists v, grundy a v.
  Proof.
    apply by_measure. intros a V IH.
    assert (E : exists vs, forall w, In w vs <-> exists b, In b (options a) /\ grundy b w).
    { assert (V' : forall b, In b (options a) -> valid b) by (intros b M; now destruct (lower _ _ V M)).
      induction (options a) as [|b l IHl]; [exists []; cbn; firstorder|].
      destruct IHl as [vs Hvs]; [intros; apply IH; now right|intros; apply V'; now right|].
      destruct (IH b (or_introl eq_refl)) as [v Hv]. exists (v :: vs). intros w. cbn. rewrite Hvs. split.
      - intros [<-|(c & M & Hc)]; eauto.
      - intros (c & [<-|M] & Hc); [left|right; eauto]. apply (grundy_unique b); auto. apply V'. now left. }
    destruct E as [vs E]. destruct (least_outside vs) as (v & n & B). exists v. constructor.
    - intros b M. destruct (IH b M) as [w Hw]. exists w. split; [assumption|]. intros ->. apply n, E. eauto.
    - intros w L. now apply E, B.
  Qed.
  Lemma grundy_iff a v : valid a ->
    grundy a v <-> (forall b, In b (options a) -> ~ grundy b v) /\ (forall w, w < v -> exists b, In b (options a) /\ grundy b w).
  Proof.
    intros V. split.
    - intros G. inversion G as [? ? G1 G2]; subst. split; [|assumption].
      intros b M Hb. destruct (G1 b M) as (w & Hw & n). apply n. apply (grundy_unique b); auto. now destruct (lower _ _ V M).
    - intros [G1 G2]. constructor; [|assumption]. intros b M. destruct (lower _ _ V M) as [Vb _].
      destruct (grundy_exists b Vb) as [w Hw]. exists w. split; [assumption|]. intros ->. exact (G1 b M Hw).
  Qed.
  Lemma not_both : forall a, valid a -> Ppos a -> Npos a -> False.
  Proof.
    apply (by_measure (fun a => Ppos a -> Npos a -> False)). intros a V IH HP HN.
    inversion HP as [? H]; inversion HN as [? b M Hb]; subst. exact (IH b M Hb (H b M)).
  Qed.
  Theorem P_grundy : forall a, valid a -> (Ppos a <-> grundy a 0).
  Proof.
    assert (G : forall a, valid a -> (Ppos a <-> grundy a 0) /\ (~ grundy a 0 -> Npos a)); [|intros a V; now apply G].
    apply by_measure. intros a V IH. rewrite (grundy_iff a 0 V). split; [split|].
    - intros HP. inversion HP as [? H]; subst. split; [|lia]. intros b M Hb. destruct (lower _ _ V M) as [Vb _].
      apply (not_both b Vb); [now apply IH|auto].
    - intros [H _]. constructor. intros b M. apply (IH b M). auto.
    - intros n. destruct (grundy_exists a V) as [v Hv]. rewrite (grundy_iff a v V) in Hv.
      destruct (N.eq_dec v 0) as [->|z]; [contradiction|].
      destruct (proj2 Hv 0 ltac:(lia)) as (b & M & Hb). apply N_intro with b; [assumption|]. now apply (IH b M).
  Qed.

  Lemma P_rule a : valid a -> (Ppos a <-> forall b, In b (options a) -> ~ Ppos b).
  Proof.
    intros V. rewrite (P_grundy a V), (grundy_iff a 0 V).
    assert (E : forall b, In b (options a) -> (Ppos b <-> grundy b 0)) by (intros b M; apply P_grundy; now destruct (lower a b V M)).
    split; [intros [H _]|intros H; split; [|lia]]; intros b M; specialize (H b M); now rewrite (E b M) in *.
  Qed.

  (** A function g gives the Grundy numbers if, at each valid position, no option has the same value of g, and each smaller
      number is the value of some option. *)
  Theorem mex_right (g : S -> N) :
    (forall a, valid a -> (forall b, In b (options a) -> g b <> g a) /\ (forall w, w < g a -> exists b, In b (options a) /\ g b = w)) ->
    forall a, valid a -> forall v, grundy a v <-> g a = v.
  Proof.
    intros H. assert (G : forall a, valid a -> grundy a (g a)).
    { apply by_measure. intros a V IH. destruct (H a V) as [H1 H2]. constructor.
      - intros b M. exists (g b). auto.
      - intros w L. destruct (H2 w L) as (b & M & <-). eauto. }
    intros a V v. split; [|intros <-; auto]. intros Hv. exact (grundy_unique a V _ _ (G a V) Hv).
  Qed.

  (** An answer: [A v a] says that the Grundy number of position a is v. The answer is about the numbers v with [K v]; with a
      number, it is also about all smaller ones. *)
  Variable A : N -> S -> Prop.
  Variable K : N -> Prop.
  Hypothesis K_down : forall v w, K v -> w < v -> K w.
  Definition rule (v : N) (a : S) : Prop :=
    A v a <-> (forall b, In b (options a) -> ~ A v b) /\ (forall w, w < v -> exists b, In b (options a) /\ A w b).

  (** The answer is right in a region if the rule is kept there and no move from a position with a known number leaves the
      region. A move from a position without a known number may leave it. *)
  Variable region : S -> Prop.
  Hypothesis A_in : forall v a, A v a -> region a.
  Hypothesis A_dec : forall v a, A v a \/ ~ A v a.
  Lemma some_option_dec v l : (exists b, In b l /\ A v b) \/ (forall b, In b l -> ~ A v b).
  Proof.
    induction l as [|b l [(c & I & H)|IH]]; [right; now intros b []|left; exists c; cbn; auto|].
    destruct (A_dec v b) as [H|H]; [left; exists b; cbn; auto|right]. intros c [<-|I]; auto.
  Qed.
  Theorem answer_right : (forall a v, valid a -> region a -> K v -> rule v a) ->
    (forall a b v, valid a -> K v -> A v a -> In b (options a) -> region b) ->
    forall a, valid a -> region a -> forall v, K v -> (grundy a v <-> A v a).
  Proof.
    intros R Closed. apply (by_measure (fun a => region a -> forall v, K v -> (grundy a v <-> A v a))). intros a V IH Ra.
    assert (G : forall v, K v -> A v a -> grundy a v).
    { intros v Kv H. apply (grundy_iff a v V). destruct (proj1 (R a v V Ra Kv) H) as [H1 H2]. split.
      - intros b M. rewrite (IH b M (Closed a b v V Kv H M) v Kv). auto.
      - intros w L. destruct (H2 w L) as (b & M & Hb). exists b. split; [exact M|]. apply IH; eauto. }
    intros v Kv. split; [|now apply G]. intros Hv. destruct (A_dec v a) as [|n]; [assumption|exfalso].
    assert (E : forall w, w <= v -> exists b, In b (options a) /\ A w b).
    { intros w. induction w as [w IHw] using (well_founded_induction N.lt_wf_0). intros L.
      assert (Kw : K w) by (destruct (N.eq_dec w v) as [->|]; [exact Kv|apply (K_down v); [exact Kv|lia]]).
      destruct (some_option_dec w (options a)) as [|H]; [assumption|exfalso]. apply n.
      assert (Aw : A w a) by (apply (R a w V Ra Kw); split; [exact H|intros u Lu; apply IHw; lia]).
      now rewrite (grundy_unique a V v w Hv (G w Kw Aw)). }
    destruct (E v (N.le_refl v)) as (b & M & Hb). apply (proj1 (proj1 (grundy_iff a v V) Hv) b M). apply IH; eauto.
  Qed.

End Games.

Theorem misere_right S options (valid region : S -> Prop) measure
  (lower : forall a b : S, valid a -> In b (options a) -> valid b /\ measure b < measure a) (A : S -> Prop) :
  (forall a, A a -> region a) -> (forall a, A a \/ ~ A a) ->
  (forall a, valid a -> region a -> (A a <-> (exists b, In b (options a)) /\ forall b, In b (options a) -> ~ A b)) ->
  (forall a b, valid a -> A a -> In b (options a) -> region b) ->
  forall a, valid a -> region a -> (Pmis S options a <-> A a).
Proof.
  intros A_in Dec R Closed.
  assert (G : forall a, valid a -> (A a -> Pmis S options a) /\ (region a -> ~ A a -> Nmis S options a) /\ (Pmis S options a -> Nmis S options a -> False)).
  { apply (by_measure S options valid measure lower). intros a V IH. split; [|split].
    - intros HA. destruct (proj1 (R a V (A_in a HA)) HA) as [(b & M) H]. apply Pmis_intro with b; [assumption|].
      intros c Mc. apply (IH c Mc); eauto.
    - intros Ra HA. destruct (some_option_dec S (fun _ => A) (fun _ => Dec) 0 (options a)) as [(b & M & Hb)|n].
      + apply Nmis_move with b; [assumption|]. now apply (IH b M).
      + destruct (options a) as [|b l] eqn:E; [now apply Nmis_end|]. destruct HA. apply (R a V Ra). rewrite E.
        split; [exists b; now left|exact n].
    - intros HP HN. inversion HP as [? b M H]; subst. inversion HN as [? E|? c Mc Hc]; subst; [now rewrite E in M|].
      exact (proj2 (proj2 (IH c Mc)) Hc (H c Mc)). }
  intros a V Ra. destruct (G a V) as (G1 & G2 & G3). split; [|assumption]. intros HP. destruct (Dec a) as [|n]; [assumption|].
  destruct (G3 HP (G2 Ra n)).
Qed.

(** ** Sums: the theorem of Sprague and Grundy *)
Lemma lxor_lower x d : N.testbit x (N.log2 d) = true -> d <> 0 -> N.lxor x d < x.
Proof.
  intros T z. set (k := N.log2 d). destruct (N.log2_spec d ltac:(lia)) as [B1 B2]. fold k in T, B1, B2. rewrite N.pow_succ_r' in B2.
  pose proof (N.pow_nonzero 2 k ltac:(lia)) as z2.
  assert (D : N.shiftr d k = 1) by (rewrite N.shiftr_div_pow2; symmetry; apply N.div_unique with (d - 2 ^ k); lia).
  assert (X : N.shiftr (N.lxor x d) k < N.shiftr x k).
  { rewrite N.shiftr_lxor, D. assert (O : N.odd (N.shiftr x k) = true) by now rewrite <- N.bit0_odd, N.shiftr_spec', N.add_0_l.
    destruct (N.shiftr x k) as [|[p|p|]]; try discriminate; cbn; lia. }
  destruct (N.lt_ge_cases (N.lxor x d) x) as [|L]; [assumption|exfalso].
  rewrite !N.shiftr_div_pow2 in X. pose proof (N.div_le_mono _ _ (2 ^ k) z2 L). lia.
Qed.
(** In Nim with piles x and y, a move in one of the piles can make their nim-sum any number below x xor y. *)
Lemma nim_move x y w : w < N.lxor x y -> N.lxor w y < x \/ N.lxor w x < y.
Proof.
  intros L. set (d := N.lxor w (N.lxor x y)). assert (z : d <> 0) by (unfold d; rewrite N.lxor_eq_0_iff; lia).
  assert (Ex : N.lxor w y = N.lxor x d /\ N.lxor w x = N.lxor y d /\ N.lxor (N.lxor x y) d = w /\ N.lxor w d = N.lxor x y).
  { repeat split; apply N.bits_inj; intros i; unfold d; rewrite !N.lxor_spec;
      destruct (N.testbit x i), (N.testbit y i), (N.testbit w i); reflexivity. }
  destruct Ex as (-> & -> & E & E'). destruct (N.testbit (N.lxor x y) (N.log2 d)) eqn:T.
  - rewrite N.lxor_spec in T. destruct (N.testbit x (N.log2 d)) eqn:Tx, (N.testbit y (N.log2 d)) eqn:Ty; try discriminate;
      [left|right]; now apply lxor_lower.
  - assert (Tw : N.testbit w (N.log2 d) = true) by now rewrite <- E, N.lxor_spec, T, N.bit_log2.
    apply lxor_lower in Tw; [|assumption]. rewrite E' in Tw. lia.
Qed.

Section Sums.
  Variable S : Type.
  Variable moves : S -> list (list S).        (* the moves from a position, each of which leads to a sum of positions *)
  (** A move in a sum of positions is a move in one of them. *)
  Fixpoint of_sum (l : list S) : list (list S) :=
    match l with [] => [] | a :: l => map (fun s => s ++ l) (moves a) ++ map (cons a) (of_sum l) end.

  Variable valid : S -> Prop.
  Variable measure g : S -> N.
  Variable most : N.                          (* the greatest number of positions in a sum that a move leads to *)
  Hypothesis lower : forall a s, valid a -> In s (moves a) -> N.of_nat (length s) <= most /\ forall b, In b s -> valid b /\ measure b < measure a.
  Definition all_valid_in (l : list S) := forall a, In a l -> valid a.
  Definition weight (l : list S) : N := fold_right (fun a w => (most + 1) ^ measure a + w) 0 l.
  Definition nim_sum (l : list S) : N := fold_right (fun a v => N.lxor (g a) v) 0 l.
  Lemma weight_app l m : weight (l ++ m) = weight l + weight m.
  Proof. induction l as [|a l IH]; [reflexivity|]. unfold weight in *. cbn. rewrite IH. lia. Qed.
  Lemma nim_sum_app l m : nim_sum (l ++ m) = N.lxor (nim_sum l) (nim_sum m).
  Proof. induction l as [|a l IH]; [reflexivity|]. unfold nim_sum in *. cbn. now rewrite IH, N.lxor_assoc. Qed.
  Lemma weight_less M s : (forall b, In b s -> measure b < M) -> weight s * (most + 1) <= N.of_nat (length s) * (most + 1) ^ M.
  Proof.
    induction s as [|b s IH]; intros H; [cbn; lia|]. specialize (IH (fun c I => H c (or_intror I))).
    change (weight (b :: s)) with ((most + 1) ^ measure b + weight s). cbn [length]. rewrite Nat2N.inj_succ, N.mul_succ_l.
    pose proof (N.pow_le_mono_r (most + 1) (N.succ (measure b)) M ltac:(lia) ltac:(specialize (H b (or_introl eq_refl)); lia)) as P.
    rewrite N.pow_succ_r' in P. lia.
  Qed.
  Lemma sum_lower : forall l m, all_valid_in l -> In m (of_sum l) -> all_valid_in m /\ weight m < weight l.
  Proof.
    induction l as [|a l IH]; intros m V; [intros []|]. cbn [of_sum]. intros [I|I]%in_app_iff; apply in_map_iff in I as (s & <- & I).
    - destruct (lower a s (V a (or_introl eq_refl)) I) as [L H]. split.
      + intros b [J|J]%in_app_iff; [now apply H|apply V; now right].
      + rewrite weight_app. change (weight (a :: l)) with ((most + 1) ^ measure a + weight l).
        pose proof (weight_less (measure a) s (fun b J => proj2 (H b J))) as W. pose proof (N.pow_nonzero (most + 1) (measure a) ltac:(lia)). nia.
    - destruct (IH s (fun b J => V b (or_intror J)) I) as [H W]. split; [|unfold weight in *; cbn; lia].
      intros b [<-|J]; [apply V; now left|now apply H].
  Qed.

  Hypothesis mex : forall a, valid a -> (forall s, In s (moves a) -> nim_sum s <> g a) /\ (forall w, w < g a -> exists s, In s (moves a) /\ nim_sum s = w).
  Theorem sprague_grundy : forall l, all_valid_in l -> forall v, grundy _ of_sum l v <-> nim_sum l = v.
  Proof.
    apply (mex_right _ of_sum all_valid_in weight sum_lower). intros l. induction l as [|a l IH]; intros V; cbn [of_sum]; [split; [intros b []|cbn; lia]|].
    destruct (mex a (V a (or_introl eq_refl))) as [M1 M2], (IH (fun b J => V b (or_intror J))) as [I1 I2].
    change (nim_sum (a :: l)) with (N.lxor (g a) (nim_sum l)).
    assert (C : forall x y z, N.lxor x y = N.lxor x z -> y = z).
    { intros x y z E. apply (f_equal (N.lxor x)) in E. now rewrite <- !N.lxor_assoc, N.lxor_nilpotent, !N.lxor_0_l in E. }
    split.
    - intros m [I|I]%in_app_iff; apply in_map_iff in I as (s & <- & I); intros E.
      + rewrite nim_sum_app, !(N.lxor_comm _ (nim_sum l)) in E. exact (M1 s I (C _ _ _ E)).
      + exact (I1 s I (C _ _ _ E)).
    - intros w L. destruct (nim_move _ _ _ L) as [H|H].
      + destruct (M2 _ H) as (s & I & E). exists (s ++ l). split; [apply in_app_iff; left; now apply (in_map (fun s => s ++ l))|].
        now rewrite nim_sum_app, E, N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r.
      + destruct (I2 _ H) as (s & I & E). exists (a :: s). split; [apply in_app_iff; right; now apply in_map|].
        change (nim_sum (a :: s)) with (N.lxor (g a) (nim_sum s)). now rewrite E, N.lxor_comm, N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r.
  Qed.
End Sums.
