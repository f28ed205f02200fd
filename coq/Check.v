(** The check of an answer, and the theorems that a file about a game ends with. *)
From Coq Require Import String List Bool Arith NArith ZArith Lia.
From Grundylab Require Import Kernel Decide Games Language Rules.
Import ListNotations.
Local Open Scope list_scope.

(** An answer: which positions have Grundy number 0, 1, ..., up to some number; or the Grundy number. *)
Inductive answer := Levels (ls : list bexp) | Number (e : expr).
Definition about (h : answer) (v : N) : Prop := match h with Levels ls => N.to_nat v < length ls | Number _ => True end.
Lemma about_down h v w : about h v -> (w < v)%N -> about h w. Proof. destruct h; cbn [about]; [lia|auto]. Qed.
Definition said (h : answer) (v : N) : bexp :=
  match h with Levels ls => nth (N.to_nat v) ls (Truth false) | Number e => Equal e (Num (Z.of_N v)) end.

Lemma in_firstn A (d : A) n : forall l, In d (firstn n l) <-> exists i, i < n /\ nth_error l i = Some d.
Proof.
  induction n as [|n IH]; intros [|x l]; cbn [firstn In]; try (split; [now intros []|]).
  - intros (i & L & _). lia.
  - intros (i & L & _). lia.
  - intros ([|i] & _ & H); discriminate.
  - rewrite IH. split.
    + intros [->|(i & L & H)]; [exists 0; split; [lia|reflexivity]|]. exists (S i). split; [lia|exact H].
    + intros ([|i] & L & H); [left; now injection H|right]. exists i. split; [lia|exact H].
Qed.

Section Check.
  Variable R : rules.
  Let ns := coordinates R ++ parameters R.
  Let k := length (coordinates R).
  Let r := length (parameters R).
  Let last := length ns.           (* one more variable, after the position and the parameters *)
  Let here := here R.

  (** Valid: for which parameters (C), of which positions (region) the answer is *)
  Definition valid_f (C region : bexp) : formula :=
    FAnd (fren (Nat.add k) (cond (parameters R) (Both (domain R) C))) (cond ns (Both (space R) region)).
  Definition valid (C region : bexp) (par a : list N) : Prop :=
    length a = k /\ given R par (Both (domain R) C) /\ at_ R par a (Both (space R) region).

  (** that the value of e and the last variable are so related *)
  Definition related (e : expr) (f : formula) : formula := FEx (FAnd (graph ns e false) f).
  Definition equal_last (e : expr) := related e (FEq [(0, 1%Z); (S last, (-1)%Z)] 0).
  Definition below_last (e : expr) := related e (FLe [(0, 1%Z); (S last, (-1)%Z)] 1).
  Definition above_last (e : expr) := related e (FLe [(0, (-1)%Z); (S last, 1%Z)] 1).

  (** V: the valid positions; Mv: those from which there is a move. The measure is a natural number there, and no option is
      invalid ([Bad]) or of a measure that is not less. *)
  Definition check_game (V Mv : aut) : bool :=
    match compile (FNot (FAnd (FAut V here) (below_last (measure R)))) with
    | Some Bad => decide (FImp (FAut V here) (FEx (graph ns (measure R) false))) &&
                  decide (FImp (FAnd (FAut V here) (equal_last (measure R))) (FNot (some_option R Mv Bad 1)))
    | None => false
    end.
  Fixpoint ands (fs : list formula) := match fs with [] => FLe [] 0 | [f] => f | f :: fs => FAnd f (ands fs) end.

  (** A position is in a level exactly if no option is in it, and one is in each of the levels before. Op, Os: where there is
      an option in this level, and in those before. *)
  Fixpoint check_levels (V Mv : aut) (ls : list bexp) (Os : list aut) : bool :=
    match ls with
    | [] => true
    | l :: ls =>
        match compile (cond ns l) with
        | Some A =>
            match compile (some_option R Mv A 0) with
            | Some Op => decide (FImp (FAut V here)
                          (FIff (FAut A here) (ands (FNot (FAut Op here) :: map (fun Op => FAut Op here) Os)))) &&
                        check_levels V Mv ls (Op :: Os)
            | None => false
            end
        | None => false
        end
    end.

  (** No option has the number that e is, and each smaller number is of an option. *)
  Definition check_number (V Mv : aut) (e : expr) : bool :=
    match compile (equal_last e) with
    | Some A =>
        match compile (some_option R Mv A 1) with
        | Some Op => let Op := FAut Op (here ++ [last]) in
            decide (FImp (FAut V here) (FEx (graph ns e false))) &&
            decide (FImp (FAnd (FAut V here) (FAut A (here ++ [last]))) (FNot Op)) &&
            decide (FImp (FAnd (FAut V here) (above_last e)) Op)
        | None => false
        end
    | None => false
    end.

  (** V and Mv, for a check *)
  Definition prepared {A} (C region : bexp) (no : A) (go : aut -> aut -> A) : A :=
    match compile (FLe [] 0), compile (valid_f C region) with
    | Some E, Some V => match compile (movable R E) with Some Mv => go V Mv | None => no end
    | _, _ => no
    end.
  Definition check (C region : bexp) (h : answer) : bool :=
    prepared C region false (fun V Mv => check_game V Mv &&
      match h with Levels ls => check_levels V Mv ls [] | Number e => check_number V Mv e end).

  (** the same under misère play, of P-positions *)
  Definition check_misere (C region c : bexp) : bool :=
    prepared C region false (fun V Mv => check_game V Mv &&
      match compile (cond ns c) with
      | Some A => match compile (some_option R Mv A 0) with
                  | Some Op => decide (FImp (FAut V here) (FIff (FAut A here) (FAnd (FNot (FAut Op here)) (FAut Mv here))))
                  | None => false
                  end
      | None => false
      end).

  (** where the rule is broken: of the P-positions, or of the Grundy number *)
  Definition broken (Mv : aut) (h : answer) : option formula :=
    match h with
    | Levels [c] =>
        bind (compile (cond ns c)) (fun A => bind (compile (some_option R Mv A 0)) (fun Op =>
          Some (FNot (FIff (FAut A here) (FNot (FAut Op here))))))
    | Levels _ => None
    | Number e =>
        bind (compile (equal_last e)) (fun A => bind (compile (some_option R Mv A 1)) (fun Op =>
          let Op := FAut Op (here ++ [last]) in
          bind (compile (FOr (FAnd (FAut A (here ++ [last])) Op) (FAnd (above_last e) (FNot Op)))) (fun B =>
            Some (FOr (FNot (FEx (graph ns e false))) (FEx (FAut B (map S here ++ [0])))))))
    end.
  Fixpoint exn (n : nat) (f : formula) : formula := match n with O => f | S n => exn n (FEx f) end.

  (** that the answer is wrong at some position for all parameters that C is not true of *)
  Definition check_only (C : bexp) (h : answer) : bool :=
    prepared true true false (fun V Mv => check_game V Mv &&
      match broken Mv h with
      | Some f => decide (FImp (cond (parameters R) (Both (domain R) (Not C))) (exn k (FAnd (FAut V here) f)))
      | None => false
      end).

  (** that what is claimed where W is true follows from the answer *)
  Definition follows (C region W : bexp) (f : formula) : bool := decide (FImp (valid_f C W) (FAnd (cond ns region) f)).
  Definition is_said (c : bexp) : formula := cond ns c.
  Definition say_same (c d : bexp) : formula := FIff (cond ns c) (cond ns d).

  (** *** Reading the formulas back *)
  Section At.
    Variable par : list N.
    Hypothesis Hr : length par = r.
    Let at_last (a : list N) (w : N) := a ++ par ++ [w].

    Lemma related_ok e f a w : length a = k ->
      holds (related e f) (at_last a w) <-> (0 <= number_at R par a e)%Z /\ holds f (Z.to_N (number_at R par a e) :: at_last a w).
    Proof.
      intros Ha. unfold related, number_at. cbn [holds]. fold ns.
      assert (E : den ns (at_last a w) e = den ns (a ++ par) e).
      { unfold at_last. rewrite app_assoc. apply (proj1 (more_values [w])). unfold ns. rewrite !app_length. lia. }
      setoid_rewrite (graph_ok ns (at_last a w) e false). rewrite E. unfold signed, sg, off. split.
      - intros (v & Hv & H). replace (Z.to_N (den ns (a ++ par) e)) with v by lia. split; [lia|exact H].
      - intros [H0 H]. exists (Z.to_N (den ns (a ++ par) e)). split; [lia|exact H].
    Qed.

    Lemma var_last a w v : length a = k -> var (v :: at_last a w) (S last) = w.
    Proof.
      intros Ha. unfold var, at_last, last, ns. cbn [nth]. rewrite app_assoc, app_nth2 by (rewrite !app_length; lia).
      replace (_ - _) with 0 by (rewrite !app_length; lia). reflexivity.
    Qed.
    Ltac lasts Ha := intros Ha; unfold equal_last, below_last, above_last; rewrite (related_ok _ _ _ _ Ha); cbn [holds];
      unfold lin; cbn [fold_right fst snd]; rewrite (var_last _ _ _ Ha); unfold var; cbn [nth].
    Lemma equal_ok e a w : length a = k -> holds (equal_last e) (at_last a w) <-> number_at R par a e = Z.of_N w.
    Proof. lasts Ha. lia. Qed.
    Lemma below_ok e a w : length a = k ->
      holds (below_last e) (at_last a w) <-> (0 <= number_at R par a e < Z.of_N w)%Z.
    Proof. lasts Ha. lia. Qed.
    Lemma above_ok e a w : length a = k -> holds (above_last e) (at_last a w) <-> (Z.of_N w < number_at R par a e)%Z.
    Proof. lasts Ha. lia. Qed.
    Lemma number_ok e a : length a = k -> holds (FEx (graph ns e false)) (a ++ par) <-> (0 <= number_at R par a e)%Z.
    Proof.
      intros Ha. cbn [holds]. unfold number_at. fold ns. setoid_rewrite (graph_ok ns (a ++ par) e false). unfold signed, sg, off. split.
      - intros [v Hv]. lia.
      - intros H. exists (Z.to_N (den ns (a ++ par) e)). lia.
    Qed.
    Lemma valid_ok C region a : length a = k -> holds (valid_f C region) (a ++ par) <-> valid C region par a.
    Proof.
      intros Ha. unfold valid_f, valid, given, at_. cbn [holds].
      rewrite (holds_fren _ _ _ par), !cond_ok; [fold ns; tauto|].
      intros x. unfold var. rewrite app_nth2 by lia. f_equal. lia.
    Qed.
    Lemma pick_all a w : length a = k -> pick (at_last a w) (here ++ [last]) = at_last a w.
    Proof.
      intros Ha. rewrite pick_app. unfold here, at_last. rewrite (pick_here R par Hr a [w] Ha), app_assoc. f_equal.
      replace ((a ++ par) ++ [w]) with ((a ++ par) ++ [w] ++ []) by reflexivity.
      apply (pick_seq (a ++ par) [w] [] last 1); [|reflexivity]. unfold last, ns. rewrite !app_length. lia.
    Qed.
    Lemma pick_here0 a : length a = k -> pick (a ++ par) here = a ++ par.
    Proof. intros Ha. rewrite <- (app_nil_r par) at 1. now apply pick_here. Qed.
    Lemma option_length a b : In b (options R par a) -> length b = k.
    Proof.
      assert (L : forall ms, In b (flat_map (leads R par a) ms) -> length b = k).
      { intros ms H. apply in_flat_map in H as (m & _ & H). unfold leads in H. apply in_flat_map in H as (vs & _ & H).
        destruct (_ && _); [|destruct H]. destruct H as [<-|[]]. now rewrite !map_length. }
      unfold options. destruct (flat_map _ _) eqn:E; [intros []|]. rewrite <- E. intros [H|H]%in_app_iff; eauto.
    Qed.

    (** what [compile] gives for a formula about positions *)
    Lemma at_position A f a : length a = k -> compile f = Some A ->
      (holds (FAut A here) (a ++ par) <-> holds f (a ++ par)).
    Proof. intros Ha E. cbn [holds]. rewrite (pick_here0 a Ha). apply (compile_ok f E). Qed.

    Section Prepared.
      Variables (C region : bexp) (V Mv E0 : aut).
      Hypothesis HE : compile (FLe [] 0) = Some E0.
      Hypothesis HV : compile (valid_f C region) = Some V.
      Hypothesis HM : compile (movable R E0) = Some Mv.
      Lemma V_ok a more : length a = k -> holds (FAut V here) (a ++ par ++ more) <-> valid C region par a.
      Proof.
        intros Ha. cbn [holds]. unfold here. rewrite (pick_here R par Hr a more Ha), (proj2 (compile_ok _ HV) (a ++ par)).
        now apply valid_ok.
      Qed.
      Lemma Mv_ok : is_movable R par Mv.
      Proof.
        intros a Ha. rewrite (proj2 (compile_ok _ HM) (a ++ par)). unfold movable.
        pose proof (leading_some R par Hr E0 a [] (filter (fun m => negb (a_pass m)) (moves R)) Ha) as L.
        rewrite app_nil_r in L. cbn [length] in L. rewrite L. unfold options. set (others := flat_map _ _).
        destruct others as [|o os].
        - split; [now intros (? & [] & _)|now intros []].
        - split; [discriminate|]. intros _. exists o. split; [now left|]. apply (proj2 (compile_ok _ HE)). cbn. lia.
      Qed.
      Let option A a := some_option_ok R par Hr Mv A a.

      Lemma game_ok : check_game V Mv = true -> forall a b, valid C region par a -> In b (options R par a) ->
        valid C region par b /\ (Z.to_N (number_at R par b (measure R)) < Z.to_N (number_at R par a (measure R)))%N.
      Proof.
        unfold check_game. destruct (compile (FNot _)) as [Bad|] eqn:EB; [|discriminate]. intros [H1 H2]%andb_prop a b Va I.
        assert (Ha : length a = k) by apply Va. pose proof (option_length a b I) as Hb.
        set (u := Z.to_N (number_at R par a (measure R))).
        assert (N0 : (0 <= number_at R par a (measure R))%Z).
        { apply (number_ok _ a Ha), (decide_correct _ H1 (a ++ par)). rewrite <- (app_nil_r par). now apply V_ok. }
        assert (B : ~ exists b, In b (options R par a) /\ lang Bad (init Bad) (at_last b u) = true).
        { pose proof (option Bad a [u] Mv_ok Ha) as L. cbn [length] in L. unfold at_last. rewrite <- L.
          apply (decide_correct _ H2 (at_last a u)). split; [now apply V_ok|]. apply equal_ok; [exact Ha|]. unfold u. lia. }
        assert (X : ~ ~ (valid C region par b /\ (0 <= number_at R par b (measure R) < Z.of_N u)%Z)).
        { intros n. apply B. exists b. split; [exact I|]. apply (proj2 (compile_ok _ EB) (at_last b u)). cbn [holds].
          intros [G1 G2]. apply n. split; [now apply (V_ok b [u] Hb)|]. now apply (below_ok _ b u Hb). }
        assert (Q : valid C region par b /\ (0 <= number_at R par b (measure R) < Z.of_N u)%Z).
        { unfold valid, given, at_ in *. split; [split; [exact Hb|split]|lia].
          - destruct (test _ par _); [reflexivity|]. exfalso. apply X. intros [(_ & ? & _) _]. discriminate.
          - destruct (test _ (b ++ par) _); [reflexivity|]. exfalso. apply X. intros [(_ & _ & ?) _]. discriminate. }
        destruct Q as [Q1 Q2]. split; [exact Q1|]. lia.
      Qed.

      Lemma holds_ands vs fs : holds (ands fs) vs <-> forall f, In f fs -> holds f vs.
      Proof.
        induction fs as [|f [|g fs] IH].
        - cbn. split; [now intros _ ? []|lia].
        - cbn. split; [now intros H ? [<-|[]]|auto].
        - change (ands (f :: g :: fs)) with (FAnd f (ands (g :: fs))). cbn [holds]. rewrite IH. cbn [In]. split.
          + intros [H H'] h [<-|I]; auto.
          + intros H. split; auto.
      Qed.

      (** the rule for one level c, where those before it are [done] *)
      Definition level_rule (done : list bexp) (c : bexp) (a : list N) : Prop :=
        at_ R par a c <-> (forall b, In b (options R par a) -> ~ at_ R par b c) /\
                          (forall d, In d done -> exists b, In b (options R par a) /\ at_ R par b d).

      Lemma levels_ok ls : forall done Os, check_levels V Mv ls Os = true ->
        Forall2 (fun d Op => forall a, length a = k -> holds (FAut Op here) (a ++ par) <-> exists b, In b (options R par a) /\ at_ R par b d) done Os ->
        forall i c, nth_error ls i = Some c -> forall a, valid C region par a -> level_rule (rev (firstn i ls) ++ done) c a.
      Proof.
        induction ls as [|l ls IH]; intros done Os H F i c Ei a Va; [now destruct i|]. cbn [check_levels] in H.
        destruct (compile (cond ns l)) as [A|] eqn:EA; [|discriminate]. destruct (compile (some_option R Mv A 0)) as [Op|] eqn:EO; [|discriminate].
        apply andb_prop in H as [H1 H2].
        assert (FA : forall a, length a = k -> holds (FAut A here) (a ++ par) <-> at_ R par a l).
        { intros b Hb. rewrite (at_position A _ b Hb EA), cond_ok. reflexivity. }
        assert (FO : forall a, length a = k -> holds (FAut Op here) (a ++ par) <-> exists b, In b (options R par a) /\ at_ R par b l).
        { intros b Hb. rewrite (at_position Op _ b Hb EO). pose proof (option A b [] Mv_ok Hb) as L. cbn [length] in L. rewrite app_nil_r in L. rewrite L.
          split; intros (d & I & G); exists d; (split; [exact I|]); revert G; rewrite (proj2 (compile_ok _ EA) (d ++ par)), cond_ok; exact (fun x => x). }
        destruct i as [|i]; cbn [nth_error firstn rev] in *.
        - injection Ei as <-. assert (Ha : length a = k) by apply Va. pose proof (decide_correct _ H1 (a ++ par)) as P.
          assert (Va' := proj2 (V_ok a [] Ha) Va). rewrite app_nil_r in Va'. specialize (P Va').
          change (holds (FAut A here) (a ++ par) <-> holds (ands (FNot (FAut Op here) :: map (fun Op => FAut Op here) Os)) (a ++ par)) in P.
          rewrite (FA a Ha), holds_ands in P. unfold level_rule. rewrite P. cbn [app]. split.
          + intros G. split.
            * intros b I Hb. apply (G (FNot (FAut Op here))); [now left|]. apply FO; eauto.
            * intros d Hd. clear - F Hd G Ha. assert (G' : forall f, In f (map (fun Op => FAut Op here) Os) -> holds f (a ++ par)) by (intros; apply G; now right).
              clear G. induction F as [|d' Op' ds Os' HO F IHF]; [destruct Hd|]. destruct Hd as [<-|Hd].
              -- apply (HO a Ha), G'. now left.
              -- apply IHF; auto. intros f I. apply G'. now right.
          + intros [G1 G2] f [<-|I].
            * intros n. apply (FO a Ha) in n as (b & I & Hb). exact (G1 b I Hb).
            * clear - F I G2 Ha. induction F as [|d Op' ds Os' HO F IHF]; [destruct I|]. destruct I as [<-|I].
              -- apply (HO a Ha), G2. now left.
              -- apply IHF; auto. intros d' Hd. apply G2. now right.
        - rewrite <- app_assoc. cbn [app]. apply (IH (l :: done) (Op :: Os) H2); auto.
      Qed.

      Definition is_value (h : answer) (v : N) (a : list N) : Prop := at_ R par a (said h v).
      Lemma is_number e v a : is_value (Number e) v a <-> number_at R par a e = Z.of_N v.
      Proof. unfold is_value, at_, said, number_at. cbn [test den]. now rewrite Z.eqb_eq. Qed.

      Lemma number_option e A Op : compile (equal_last e) = Some A -> compile (some_option R Mv A 1) = Some Op -> forall a, length a = k ->
        (forall b w, length b = k -> lang A (init A) (at_last b w) = true <-> number_at R par b e = Z.of_N w) /\
        (forall w, holds (FAut Op (here ++ [last])) (at_last a w) <-> exists b, In b (options R par a) /\ number_at R par b e = Z.of_N w).
      Proof.
        intros EA EO a Ha.
        assert (FA : forall b w, length b = k -> lang A (init A) (at_last b w) = true <-> number_at R par b e = Z.of_N w).
        { intros b w Hb. rewrite (proj2 (compile_ok _ EA) (at_last b w)). now apply equal_ok. }
        split; [exact FA|]. intros w. cbn [holds]. rewrite (pick_all a w Ha), (proj2 (compile_ok _ EO) (at_last a w)).
        pose proof (option A a [w] Mv_ok Ha) as L. cbn [length] in L. unfold at_last. rewrite L.
        split; intros (b & I & G); exists b; (split; [exact I|]); apply (FA b w); auto; now apply (option_length a).
      Qed.

      Lemma number_rule e : check_number V Mv e = true -> forall a v, valid C region par a -> rule _ (options R par) (is_value (Number e)) v a.
      Proof.
        unfold check_number. destruct (compile (equal_last e)) as [A|] eqn:EA; [|discriminate].
        destruct (compile (some_option R Mv A 1)) as [Op|] eqn:EO; [|discriminate]. intros [[H1 H2]%andb_prop H3]%andb_prop a v Va.
        assert (Ha : length a = k) by apply Va.
        destruct (number_option e A Op EA EO a Ha) as [FA FO].
        assert (T : (0 <= number_at R par a e)%Z).
        { apply (number_ok e a Ha), (decide_correct _ H1 (a ++ par)). rewrite <- (app_nil_r par). now apply V_ok. }
        assert (D : forall w, number_at R par a e = Z.of_N w -> ~ exists b, In b (options R par a) /\ number_at R par b e = Z.of_N w).
        { intros w Hw. rewrite <- FO. apply (decide_correct _ H2 (at_last a w)). split; [now apply V_ok|].
          cbn [holds]. rewrite (pick_all a w Ha). now apply FA. }
        assert (L : forall w, (Z.of_N w < number_at R par a e)%Z -> exists b, In b (options R par a) /\ number_at R par b e = Z.of_N w).
        { intros w Hw. apply FO, (decide_correct _ H3 (at_last a w)). split; [now apply V_ok|]. now apply above_ok. }
        unfold rule. rewrite is_number. setoid_rewrite is_number. split.
        - intros Hv. split; [intros b I Hb; apply (D v Hv); eauto|]. intros w Lw. apply L. lia.
        - intros [G1 G2]. destruct (Z.lt_trichotomy (number_at R par a e) (Z.of_N v)) as [X|[X|X]]; [|exact X|].
          + destruct (G2 (Z.to_N (number_at R par a e)) ltac:(lia)) as (b & I & Hb). destruct (D (Z.to_N (number_at R par a e)) ltac:(lia)). eauto.
          + destruct (L v X) as (b & I & Hb). destruct (G1 b I Hb).
      Qed.

      Lemma levels_rule ls : check_levels V Mv ls [] = true ->
        forall a v, valid C region par a -> about (Levels ls) v -> rule _ (options R par) (is_value (Levels ls)) v a.
      Proof.
        intros H a v Va Kv. cbn [about] in Kv. assert (E : forall w, N.to_nat w < length ls -> nth_error ls (N.to_nat w) = Some (said (Levels ls) w)).
        { intros w L. cbn [said]. now apply nth_error_nth'. }
        pose proof (levels_ok ls [] [] H (Forall2_nil _) _ _ (E v Kv) a Va) as P. unfold level_rule in P. rewrite app_nil_r in P.
        unfold rule, is_value. rewrite P. split; intros [G1 G2]; (split; [exact G1|]).
        - intros w L. apply G2. rewrite <- in_rev, in_firstn. exists (N.to_nat w). split; [lia|]. apply E. lia.
        - intros d Hd. rewrite <- in_rev, in_firstn in Hd. destruct Hd as (i & Li & Hi).
          destruct (G2 (N.of_nat i) ltac:(lia)) as (b & I & Hb). exists b. split; [exact I|].
          specialize (E (N.of_nat i) ltac:(lia)). rewrite Nat2N.id, Hi in E. now injection E as ->.
      Qed.

      Lemma misere_ok c A Op : check_game V Mv = true -> compile (cond ns c) = Some A -> compile (some_option R Mv A 0) = Some Op ->
        decide (FImp (FAut V here) (FIff (FAut A here) (FAnd (FNot (FAut Op here)) (FAut Mv here)))) = true ->
        forall a, valid C region par a -> (Pmis _ (options R par) a <-> at_ R par a c).
      Proof.
        intros HG EA EO HD. apply misere_right with (measure := fun a => Z.to_N (number_at R par a (measure R))); [now apply game_ok| | |].
        all: intros a Va; assert (Ha : length a = k) by apply Va.
        all: pose proof (decide_correct _ HD (a ++ par)) as P; cbn [holds] in P; rewrite !(pick_here0 a Ha) in P.
        all: assert (Va' := proj2 (V_ok a [] Ha) Va); rewrite app_nil_r in Va'; cbn [holds] in Va'; rewrite (pick_here0 a Ha) in Va'.
        all: specialize (P Va'); rewrite (proj2 (compile_ok _ EA) (a ++ par)), cond_ok, (Mv_ok a Ha) in P.
        all: assert (FO : lang Op (init Op) (a ++ par) = true <-> exists b, In b (options R par a) /\ at_ R par b c).
        1, 3, 5: rewrite (proj2 (compile_ok _ EO) (a ++ par)); pose proof (option A a [] Mv_ok Ha) as L; cbn [length] in L;
          rewrite app_nil_r in L; rewrite L; split; intros (b & I & G); exists b; (split; [exact I|]); revert G;
          rewrite (proj2 (compile_ok _ EA) (b ++ par)), cond_ok; exact (fun x => x).
        - unfold at_ at 1. fold ns. rewrite P, FO. split.
          + intros [n E]. split; [destruct (options R par a) as [|b l]; [now destruct E|exists b; now left]|]. intros b I Hb. apply n. eauto.
          + intros [[b I] G]. split; [intros (d & J & Hd); exact (G d J Hd)|]. intros E. now rewrite E in I.
        - unfold at_. destruct (test _ _ c); [now left|now right].
        - intros n. destruct (options R par a) as [|b l] eqn:E; [now left|right]. rewrite <- E in *.
          destruct (lang Op (init Op) (a ++ par)) eqn:EL; [now apply FO|]. exfalso. apply n. apply P. split; [discriminate|]. now rewrite E.
      Qed.

      Lemma broken_ok h f : check_game V Mv = true -> broken Mv h = Some f ->
        (forall a, valid C region par a -> forall v, about h v -> (grundy _ (options R par) a v <-> is_value h v a)) ->
        forall a, valid C region par a -> holds f (a ++ par) -> False.
      Proof.
        intros HG E All a Va Hf. assert (Ha : length a = k) by apply Va.
        pose proof (right_rule _ _ _ _ (game_ok HG) (is_value h) (about h) (about_down h) All a) as G.
        destruct h as [[|c [|]]|e]; try discriminate; unfold broken in E.
        - destruct (compile (cond ns c)) as [A|] eqn:EA; [|discriminate]. cbn [bind] in E.
          destruct (compile (some_option R Mv A 0)) as [Op|] eqn:EO; [|discriminate]. injection E as <-.
          specialize (G 0%N Va ltac:(cbn; lia)). unfold rule, is_value in G. cbn [said nth N.to_nat] in G. apply Hf. cbn [holds].
          rewrite !(pick_here0 a Ha), (proj2 (compile_ok _ EA) (a ++ par)), cond_ok, (proj2 (compile_ok _ EO) (a ++ par)).
          pose proof (option A a [] Mv_ok Ha) as L. cbn [length] in L. rewrite app_nil_r in L. rewrite L.
          assert (F : forall b, lang A (init A) (b ++ par) = true <-> at_ R par b c).
          { intros b. rewrite (proj2 (compile_ok _ EA) (b ++ par)), cond_ok. reflexivity. }
          setoid_rewrite F. unfold at_ in G at 1. fold ns in G. rewrite G. split.
          + intros [G1 _] (b & I & Hb). exact (G1 b I Hb).
          + intros n. split; [intros b I Hb; eauto|]. intros w Lw. lia.
        - destruct (compile (equal_last e)) as [A|] eqn:EA; [|discriminate]. cbn [bind] in E.
          destruct (compile (some_option R Mv A 1)) as [Op|] eqn:EO; [|discriminate]. cbn [bind] in E.
          destruct (compile (FOr _ _)) as [B|] eqn:EB; [|discriminate]. injection E as <-.
          destruct (grundy_exists _ _ _ _ (game_ok HG) a Va) as [g Hg]. apply (All a Va g I) in Hg. apply is_number in Hg.
          destruct Hf as [Hf|[w Hf]]; [apply Hf, (number_ok e a Ha); lia|].
          assert (E : pick (w :: a ++ par) (map S here ++ [0]) = at_last a w).
          { rewrite pick_app, pick_skip, (pick_here0 a Ha). unfold at_last. now rewrite <- app_assoc. }
          cbn [holds] in Hf. rewrite E in Hf. apply (proj2 (compile_ok _ EB) (at_last a w)) in Hf.
          destruct (number_option e A Op EA EO a Ha) as [FA FO]. specialize (G g Va I). unfold rule in G. rewrite is_number in G.
          destruct (proj1 G Hg) as [G1 G2]. destruct Hf as [[Hf Ho]|[Hf Ho]].
          + cbn [holds] in Hf. rewrite (pick_all a w Ha), (FA a w Ha) in Hf. apply FO in Ho as (b & J & Hb).
            apply (G1 b J). apply is_number. lia.
          + apply (above_ok e a w Ha) in Hf. destruct (G2 w ltac:(lia)) as (b & J & Hb). apply Ho, FO.
            exists b. split; [exact J|]. now apply is_number.
      Qed.
    End Prepared.
  End At.

  (** *** The theorems *)
  Lemma prepared_ok C region go : prepared C region false go = true -> exists E V Mv,
    compile (FLe [] 0) = Some E /\ compile (valid_f C region) = Some V /\ compile (movable R E) = Some Mv /\ go V Mv = true.
  Proof.
    unfold prepared. destruct (compile (FLe [] 0)) as [E|]; [|discriminate]. destruct (compile (valid_f C region)) as [V|]; [|discriminate].
    destruct (compile (movable R E)) as [Mv|] eqn:EM; [|discriminate]. intros H. exists E, V, Mv. auto.
  Qed.
  Lemma all_valid par a : parameter_values R par -> position R par a -> valid true true par a.
  Proof.
    intros [_ HD] [Ha HS]. unfold valid, given, at_ in *. cbn [test]. rewrite !andb_true_r. auto.
  Qed.

  Section Right.
    Variables (C region : bexp) (par : list N).
    Hypothesis HP : parameter_values R par.
    Hypothesis HC : given R par C.
    Theorem check_right h : check C region h = true -> forall a, valid C region par a ->
      (forall v, about h v -> (grundy _ (options R par) a v <-> at_ R par a (said h v))) /\
      (Ppos _ (options R par) a <-> grundy _ (options R par) a 0).
    Proof.
      intros H a Va. destruct (prepared_ok _ _ _ H) as (E & V & Mv & HE & HV & HM & [HG HA]%andb_prop). destruct HP as [Hr _].
      pose proof (game_ok par Hr C region V Mv E HE HV HM HG) as Low. split; [|exact (P_grundy _ _ _ _ Low a Va)].
      intros v Kv. refine (answer_right _ _ _ _ Low (is_value par h) (about h) (about_down h) _ a Va v Kv); clear a Va v Kv.
      intros a v Va Kv. destruct h; [eapply levels_rule|eapply number_rule]; eauto.
    Qed.

    Lemma follows_ok W f : follows C region W f = true -> forall a, position R par a -> at_ R par a W ->
      valid C region par a /\ holds f (a ++ par).
    Proof.
      intros H a [Ha HS] HW. destruct HP as [Hr HD]. pose proof (decide_correct _ H (a ++ par)) as P. cbn [holds] in P.
      fold (holds (valid_f C W) (a ++ par)) in P. rewrite cond_ok in P. unfold valid, given, at_ in *. cbn [test] in *.
      destruct P as [Q1 Q2]; [|rewrite !andb_true_iff; auto].
      apply (valid_ok par Hr C W a Ha). unfold valid, given, at_. cbn [test]. rewrite !andb_true_iff. auto.
    Qed.
    Lemma say_same_ok c d a : holds (say_same c d) (a ++ par) -> (at_ R par a c <-> at_ R par a d).
    Proof. unfold say_same. cbn [holds]. now rewrite !cond_ok. Qed.
  End Right.
End Check.

Definition knows (h : answer) (v : N) : bool := match h with Levels ls => N.to_nat v <? length ls | Number _ => true end.
Lemma knows_ok h v : knows h v = true -> about h v. Proof. destruct h; cbn; [apply Nat.ltb_lt|auto]. Qed.

(** C: for which parameters; W: of which positions; claim: what is claimed. region, h: the answer from which it follows *)
Definition level_check R C region h v W claim : bool :=
  knows h v && check R C region h && follows R C region W (say_same R (said h v) claim).
Definition number_check R C region g W e : bool := check R C region (Number g) && follows R C region W (is_said R (Equal g e)).
Definition misere_check R C region c W claim : bool := check_misere R C region c && follows R C region W (say_same R c claim).

Section Theorems.
  Variables (R : rules) (C region : bexp) (h : answer) (W : bexp).
  Theorem level_proved v claim : level_check R C region h v W claim = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    (grundy _ (options R par) a v <-> at_ R par a claim).
  Proof.
    unfold level_check. intros [[HK H]%andb_prop HF]%andb_prop par a HP HC HA HW.
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va S]. rewrite <- (say_same_ok R par _ _ a S).
    apply (check_right R C region par HP h H a Va). now apply knows_ok.
  Qed.
  Theorem P_proved claim : level_check R C region h 0 W claim = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    (Ppos _ (options R par) a <-> at_ R par a claim).
  Proof.
    intros H par a HP HC HA HW. rewrite <- (level_proved 0%N claim H par a HP HC HA HW).
    unfold level_check in H. apply andb_prop in H as [[_ H]%andb_prop HF].
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va _]. apply (check_right R C region par HP h H a Va).
  Qed.
  Theorem number_proved g e : number_check R C region g W e = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    forall v, grundy _ (options R par) a v <-> number_at R par a e = Z.of_N v.
  Proof.
    unfold number_check. intros [H HF]%andb_prop par a HP HC HA HW v.
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va S].
    rewrite (proj1 (check_right R C region par HP (Number g) H a Va) v I). apply cond_ok in S.
    unfold at_, number_at in *. cbn [said test den] in *. apply Z.eqb_eq in S. now rewrite Z.eqb_eq, S.
  Qed.

  Theorem misere_proved c claim : misere_check R C region c W claim = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    (Pmis _ (options R par) a <-> at_ R par a claim).
  Proof.
    unfold misere_check. intros [H HF]%andb_prop par a HP HC HA HW.
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va S]. rewrite <- (say_same_ok R par _ _ a S).
    destruct (prepared_ok _ _ _ _ H) as (E & V & Mv & HE & HV & HM & [HG HD]%andb_prop).
    destruct (compile (cond _ c)) as [A|] eqn:EA; [|discriminate]. destruct (compile (some_option R Mv A 0)) as [Op|] eqn:EO; [|discriminate].
    destruct HP as [Hr _]. eapply misere_ok; eauto.
  Qed.

  (** what needs no game: that a condition is true of positions *)
  Theorem always_proved claim : follows R C true W (is_said R claim) = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W -> at_ R par a claim.
  Proof. intros HF par a HP HC HA HW. now apply cond_ok, (follows_ok R C true par HP HC W _ HF a HA HW). Qed.
End Theorems.

(** ** For exactly which parameters *)
Lemma holds_exn n : forall f vs, holds (exn n f) vs <-> exists l, length l = n /\ holds f (l ++ vs).
Proof.
  induction n as [|n IH]; intros f vs; cbn [exn].
  - split; [intros H; now exists []|]. intros ([|] & H & G); [exact G|discriminate].
  - rewrite IH. split.
    + intros (l & <- & v & H). now exists (v :: l).
    + intros ([|v l] & H & G); [discriminate|]. exists l. split; [now injection H|]. now exists v.
Qed.

Section Only.
  Variables (R : rules) (C : bexp) (h : answer).
  Hypothesis H : check_only R C h = true.
  Variable par : list N.
  Hypothesis HP : parameter_values R par.

  Lemma only_ok : (forall a, position R par a -> forall v, about h v -> (grundy _ (options R par) a v <-> at_ R par a (said h v))) ->
    given R par C.
  Proof.
    intros All. destruct (prepared_ok _ _ _ _ H) as (E & V & Mv & HE & HV & HM & [HG HD]%andb_prop). destruct HP as [Hr HPd].
    destruct (broken R Mv h) as [f|] eqn:EB; [|discriminate]. pose proof (decide_correct _ HD par) as P. cbn [holds] in P.
    fold (holds (cond (parameters R) (Both (domain R) (Not C))) par) in P. rewrite cond_ok, holds_exn in P.
    unfold given in *. cbn [test] in P. rewrite HPd in P. destruct (test (parameters R) par C); [reflexivity|].
    destruct (P eq_refl) as (a & Ha & HV' & Hf). exfalso.
    assert (V' : forall a, valid R true true par a -> position R par a).
    { intros b (Lb & _ & Hb). split; [exact Lb|]. unfold at_ in *. cbn [test] in Hb. now apply andb_prop in Hb. }
    apply (broken_ok R par Hr true true V Mv E HE HV HM h f HG EB) with a; [|
      rewrite <- (app_nil_r par) in HV'; now apply (V_ok R par Hr true true V HV a [] Ha) in HV'|exact Hf].
    intros b Vb. apply All. now apply V'.
  Qed.

  Lemma only_P_grundy a : position R par a -> (Ppos _ (options R par) a <-> grundy _ (options R par) a 0).
  Proof.
    intros HA. destruct (prepared_ok _ _ _ _ H) as (E & V & Mv & HE & HV & HM & [HG _]%andb_prop).
    apply (P_grundy _ _ _ _ (game_ok R par (proj1 HP) true true V Mv E HE HV HM HG)). now apply all_valid.
  Qed.
End Only.
Definition exact_level_check R C c : bool := level_check R C true (Levels [c]) 0 true c && check_only R C (Levels [c]).
Definition exact_number_check R C e : bool := number_check R C true e true e && check_only R C (Number e).
Theorem P_exactly R C claim : exact_level_check R C claim = true ->
  forall par, parameter_values R par ->
  (given R par C <-> forall a, position R par a -> (Ppos _ (options R par) a <-> at_ R par a claim)).
Proof.
  unfold exact_level_check. intros [H1 H2]%andb_prop par HP. split.
  - intros HC a HA. now apply (P_proved R C true _ true claim H1).
  - intros All. apply (only_ok R C _ H2 par HP). intros a HA v Kv. cbn in Kv. assert (v = 0%N) as -> by lia.
    rewrite <- (only_P_grundy R C _ H2 par HP a HA). now apply All.
Qed.
Theorem number_exactly R C e : exact_number_check R C e = true ->
  forall par, parameter_values R par ->
  (given R par C <-> forall a, position R par a -> forall v, grundy _ (options R par) a v <-> number_at R par a e = Z.of_N v).
Proof.
  unfold exact_number_check. intros [H1 H2]%andb_prop par HP. split.
  - intros HC a HA. now apply (number_proved R C true true e e H1).
  - intros All. apply (only_ok R C _ H2 par HP). intros a HA v _. rewrite (All a HA v).
    unfold at_, number_at. cbn [said test den]. now rewrite Z.eqb_eq.
Qed.
