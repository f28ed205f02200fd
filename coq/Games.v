(** Impartial games: what P-positions and Grundy numbers are, and when a given answer is the right one.
    Who wants to know what a theorem says reads the three definitions here, [options] in Rules.v, and [den] and [test] in
    Language.v. *)
From Coq Require Import List Bool Arith NArith Lia FinFun.
Import ListNotations.
Local Open Scope N_scope.

Section Games.
  Variable S : Type.
  Variable options : S -> list S.

  (** Normal play. From a P-position every move leads to an N-position; from an N-position some move leads to a P-position. *)
  Inductive Ppos : S -> Prop := P_intro a : (forall b, In b (options a) -> Npos b) -> Ppos a
  with Npos : S -> Prop := N_intro a b : In b (options a) -> Ppos b -> Npos a.

  (** The Grundy number of a position is the least number that is of none of its options. *)
  Inductive grundy : S -> N -> Prop :=
    grundy_intro a v :
      (forall b, In b (options a) -> exists w, grundy b w /\ w <> v) ->
      (forall w, w < v -> exists b, In b (options a) /\ grundy b w) -> grundy a v.

  (** Misère play: who cannot move wins. *)
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
    destruct (G (1 + length l)%nat) as [|H]; [assumption|]. exfalso.
    assert (I : incl (map N.of_nat (seq 0 (1 + length l))) l).
    { intros w Hw. apply in_map_iff in Hw as (i & <- & Hi). apply in_seq in Hi. apply H. lia. }
    apply NoDup_incl_length in I.
    - rewrite map_length, seq_length in I. lia.
    - apply Injective_map_NoDup; [|apply seq_NoDup]. intros i j E. lia.
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

  (** An answer: [A v a] says that the number of a is v. [K]: about which numbers it is, of each also about the smaller ones. *)
  Variable A : N -> S -> Prop.
  Variable K : N -> Prop.
  Hypothesis K_down : forall v w, K v -> w < v -> K w.
  Definition rule (v : N) (a : S) : Prop :=
    A v a <-> (forall b, In b (options a) -> ~ A v b) /\ (forall w, w < v -> exists b, In b (options a) /\ A w b).

  (** Where the rule is kept in a region that no move leaves from a position with a known number, the answer is right there:
      of a position without one some options of known numbers are enough. *)
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

  (** ... and conversely: where the rule is broken somewhere, the answer is wrong somewhere *)
  Theorem right_rule : (forall a, valid a -> forall v, K v -> (grundy a v <-> A v a)) -> forall a v, valid a -> K v -> rule v a.
  Proof.
    intros H a v V Kv. unfold rule. rewrite <- (H a V v Kv), (grundy_iff a v V).
    assert (E : forall b, In b (options a) -> valid b) by (intros b M; now destruct (lower _ _ V M)).
    split; intros [H1 H2].
    - split; [intros b M; rewrite <- (H b (E b M) v Kv); auto|].
      intros w L. destruct (H2 w L) as (b & M & Hb). exists b. split; [assumption|]. apply H; eauto.
    - split; [intros b M; rewrite (H b (E b M) v Kv); auto|].
      intros w L. destruct (H2 w L) as (b & M & Hb). exists b. split; [assumption|]. apply (H b (E b M)); eauto.
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
