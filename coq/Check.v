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

Lemma skipn_cons A (d x : A) l m : forall n, skipn n l = x :: m -> nth n l d = x /\ skipn (S n) l = m.
Proof. induction l as [|y l IH]; intros [|n] E; try discriminate; [now injection E as <- <-|exact (IH n E)]. Qed.

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

  (** P: the positions for these parameters; Mv: those from which there is a move. The measure is a natural number there, and no
      option is no position ([Bad]) or of a measure that is not less. *)
  Definition check_game (P Mv : aut) : bool :=
    match compile (FNot (FAnd (FAut P here) (below_last (measure R)))) with
    | Some Bad => decide (FImp (FAut P here) (FEx (graph ns (measure R) false))) &&
                  decide (FImp (FAnd (FAut P here) (equal_last (measure R))) (FNot (some_option R Mv Bad 1)))
    | None => false
    end.
  (** V: those in the region. Where a move leads out of it: nowhere, if it is everything. *)
  Definition leaving (region : bexp) (V Mv : aut) : formula :=
    match region with
    | Truth true => FLe [] 1
    | _ => match compile (FNot (FAut V here)) with Some Out => some_option R Mv Out 0 | None => FLe [] 0 end
    end.

  (** A position is in a level exactly if no option is in it, and one is in each of the levels before. L: where a move leads out
      of the region, which none does from a position of which something is known. *)
  Fixpoint check_levels (V Mv L : aut) (ls : list bexp) (before : formula) : bool :=
    match ls with
    | [] => true
    | l :: ls =>
        match compile (FAnd (FAut V here) (cond ns l)) with
        | Some A =>
            match compile (some_option R Mv A 0) with
            | Some Op => decide (FImp (FAut V here) (FIff (FAut A here) (FAnd (FNot (FAut Op here)) before))) &&
                         decide (FImp (FAut A here) (FNot (FAut L here))) && check_levels V Mv L ls (FAnd (FAut Op here) before)
            | None => false
            end
        | None => false
        end
    end.

  (** No option has the number that e is, and each smaller number is of an option. *)
  Definition check_number (V Mv L : aut) (e : expr) : bool :=
    match compile (FAnd (FAut V here) (equal_last e)) with
    | Some A =>
        match compile (some_option R Mv A 1) with
        | Some Op => let Op := FAut Op (here ++ [last]) in
            decide (FImp (FAut V here) (FNot (FAut L here))) && decide (FImp (FAut V here) (FEx (graph ns e false))) &&
            decide (FImp (FAut A (here ++ [last])) (FNot Op)) &&
            decide (FImp (FAnd (FAut V here) (above_last e)) Op)
        | None => false
        end
    | None => false
    end.

  (** P, V, Mv and L, for a check *)
  Definition prepared (C region : bexp) (go : aut -> aut -> aut -> aut -> bool) : bool :=
    match compile (FLe [] 0), compile (valid_f C (Truth true)), compile (valid_f C region) with
    | Some E, Some P, Some V =>
        match compile (movable R E) with
        | Some Mv => match compile (leaving region V Mv) with Some L => check_game P Mv && go P V Mv L | None => false end
        | None => false
        end
    | _, _, _ => false
    end.
  Definition check (C region : bexp) (h : answer) : bool := prepared C region (fun _ V Mv L =>
    match h with Levels ls => check_levels V Mv L ls (FLe [] 0) | Number e => check_number V Mv L e end).

  (** the same under misère play, of P-positions: from each of them there is a move *)
  Definition check_misere (C region c : bexp) : bool :=
    prepared C region (fun _ V Mv L => check_levels V Mv L [c] (FAut Mv here)).

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
    prepared true true (fun P _ Mv _ =>
      match broken Mv h with
      | Some f => decide (FImp (cond (parameters R) (Both (domain R) (Not C))) (exn k (FAnd (FAut P here) f)))
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
    Lemma at_position A f a : length a = k -> compile f = Some A ->
      (holds (FAut A here) (a ++ par) <-> holds f (a ++ par)).
    Proof. intros Ha E. cbn [holds]. rewrite (pick_here0 a Ha). apply (compile_ok f E). Qed.
    Lemma valid_aut C region V a more : compile (valid_f C region) = Some V -> length a = k ->
      holds (FAut V here) (a ++ par ++ more) <-> valid C region par a.
    Proof.
      intros HV Ha. cbn [holds]. unfold here. rewrite (pick_here R par Hr a more Ha), (proj2 (compile_ok _ HV) (a ++ par)).
      now apply valid_ok.
    Qed.
    Lemma valid_dec C region a : valid C region par a \/ ~ valid C region par a.
    Proof.
      unfold valid, given, at_. destruct (Nat.eq_dec (length a) k), (test _ par _), (test _ (a ++ par) _); intuition congruence.
    Qed.
    Lemma valid_position C region a : valid C region par a -> valid C true par a.
    Proof. unfold valid, at_. cbn [test]. rewrite !andb_true_iff. tauto. Qed.

    Section Prepared.
      Variables (C region : bexp) (P V Mv E0 Lv : aut).
      Hypothesis HE : compile (FLe [] 0) = Some E0.
      Hypothesis HP : compile (valid_f C true) = Some P.
      Hypothesis HV : compile (valid_f C region) = Some V.
      Hypothesis HM : compile (movable R E0) = Some Mv.
      Hypothesis HL : compile (leaving region V Mv) = Some Lv.
      Let V_ok a more := valid_aut C region V a more HV.
      Lemma V_here a : length a = k -> holds (FAut V here) (a ++ par) <-> valid C region par a.
      Proof. intros Ha. rewrite <- (app_nil_r par) at 1. now apply V_ok. Qed.
      Lemma Mv_ok : is_movable R par Mv.
      Proof.
        intros a Ha. rewrite (proj2 (compile_ok _ HM) (a ++ par)). unfold movable.
        pose proof (leading_some R par Hr E0 a [] (filter (fun m => negb (a_pass m)) (moves R)) Ha) as L.
        rewrite app_nil_r in L. cbn [length] in L. rewrite L. unfold options. set (others := flat_map _ _).
        destruct others as [|o os].
        - split; [now intros (? & [] & _)|now intros []].
        - split; [discriminate|]. intros _. exists o. split; [now left|]. apply (proj2 (compile_ok _ HE)). cbn. lia.
      Qed.

      (** automata for what is true of a position, and for where an option is one of which it is; the same with one more number *)
      Lemma option_here f A Op (Q : list N -> Prop) : compile f = Some A -> compile (some_option R Mv A 0) = Some Op ->
        (forall a, length a = k -> holds f (a ++ par) <-> Q a) -> forall a, length a = k ->
        (holds (FAut A here) (a ++ par) <-> Q a) /\ (holds (FAut Op here) (a ++ par) <-> exists b, In b (options R par a) /\ Q b).
      Proof.
        intros EA EO HQ a Ha. rewrite (at_position A f a Ha EA), (at_position Op _ a Ha EO). split; [now apply HQ|].
        pose proof (some_option_ok R par Hr Mv A a [] Mv_ok Ha) as L. cbn [length] in L. rewrite app_nil_r in L. rewrite L.
        split; intros (b & I & G); exists b; (split; [exact I|]); revert G; rewrite (proj2 (compile_ok _ EA) (b ++ par));
          apply HQ; now apply (option_length a).
      Qed.
      Lemma option_last f A Op (Q : list N -> N -> Prop) : compile f = Some A -> compile (some_option R Mv A 1) = Some Op ->
        (forall a w, length a = k -> holds f (at_last a w) <-> Q a w) -> forall a w, length a = k ->
        (holds (FAut A (here ++ [last])) (at_last a w) <-> Q a w) /\
        (holds (FAut Op (here ++ [last])) (at_last a w) <-> exists b, In b (options R par a) /\ Q b w).
      Proof.
        intros EA EO HQ a w Ha. cbn [holds]. rewrite (pick_all a w Ha), (proj2 (compile_ok _ EA) (at_last a w)), (proj2 (compile_ok _ EO) (at_last a w)).
        split; [now apply HQ|].
        pose proof (some_option_ok R par Hr Mv A a [w] Mv_ok Ha) as L. cbn [length] in L. unfold at_last at 1. rewrite L.
        split; intros (b & I & G); exists b; (split; [exact I|]); revert G; fold (at_last b w);
          rewrite (proj2 (compile_ok _ EA) (at_last b w)); apply HQ; now apply (option_length a).
      Qed.
      Lemma game_ok : check_game P Mv = true -> forall a b, valid C true par a -> In b (options R par a) ->
        valid C true par b /\ (Z.to_N (number_at R par b (measure R)) < Z.to_N (number_at R par a (measure R)))%N.
      Proof.
        unfold check_game. destruct (compile (FNot _)) as [Bad|] eqn:EB; [|discriminate]. intros [H1 H2]%andb_prop a b Va I.
        assert (Ha : length a = k) by apply Va. pose proof (option_length a b I) as Hb.
        pose proof (fun a more => valid_aut C true P a more HP) as P_ok. set (u := Z.to_N (number_at R par a (measure R))).
        assert (N0 : (0 <= number_at R par a (measure R))%Z).
        { apply (number_ok _ a Ha), (decide_correct _ H1 (a ++ par)). rewrite <- (app_nil_r par). now apply P_ok. }
        assert (B : ~ exists b, In b (options R par a) /\ lang Bad (init Bad) (at_last b u) = true).
        { pose proof (some_option_ok R par Hr Mv Bad a [u] Mv_ok Ha) as L. cbn [length] in L. unfold at_last. rewrite <- L.
          apply (decide_correct _ H2 (at_last a u)). split; [now apply P_ok|]. apply equal_ok; [exact Ha|]. unfold u. lia. }
        assert (Q : valid C true par b /\ (0 <= number_at R par b (measure R) < Z.of_N u)%Z).
        { destruct (valid_dec C true b) as [Vb|n], (Z_lt_dec (number_at R par b (measure R)) (Z.of_N u)) as [L|L],
            (Z_le_dec 0 (number_at R par b (measure R))) as [L'|L']; auto; exfalso; apply B; exists b; (split; [exact I|]);
            apply (proj2 (compile_ok _ EB) (at_last b u)); cbn [holds]; intros [G1 G2];
            apply (P_ok b [u] Hb) in G1; apply (below_ok _ b u Hb) in G2; tauto. }
        destruct Q as [Q1 Q2]. split; [exact Q1|]. lia.
      Qed.
      Lemma leaving_ok : check_game P Mv = true -> forall a b, valid C region par a -> ~ holds (FAut Lv here) (a ++ par) ->
        In b (options R par a) -> valid C region par b.
      Proof.
        intros HG a b Va n I. assert (Ha : length a = k) by apply Va. rewrite (at_position Lv _ a Ha HL) in n. unfold leaving in n.
        destruct (valid_dec C region b) as [|nb]; [assumption|exfalso].
        assert (D : region = Truth true \/ ~ holds (match compile (FNot (FAut V here)) with Some Out => some_option R Mv Out 0 | None => FLe [] 0 end) (a ++ par))
          by (destruct region as [[|]| | | | | | |]; auto).
        destruct D as [E|D]; [apply nb; rewrite E in *; exact (proj1 (game_ok HG a b Va I))|].
        destruct (compile (FNot _)) as [Out|] eqn:EO; apply D; [|cbn; lia].
        pose proof (some_option_ok R par Hr Mv Out a [] Mv_ok Ha) as S. cbn [length] in S. rewrite app_nil_r in S. apply S.
        exists b. split; [exact I|]. apply (proj2 (compile_ok _ EO) (b ++ par)). intros G. apply nb. apply V_here; [|exact G].
        now apply (option_length a).
      Qed.

      (** the answer where it is valid; what the check of one level says *)
      Definition in_level (c : bexp) (a : list N) : Prop := valid C region par a /\ at_ R par a c.
      Lemma in_level_ok c a : length a = k -> holds (FAnd (FAut V here) (cond ns c)) (a ++ par) <-> in_level c a.
      Proof. intros Ha. cbn [holds]. fold (holds (FAut V here) (a ++ par)). now rewrite (V_here a Ha), cond_ok. Qed.
      Lemma in_level_dec c a : in_level c a \/ ~ in_level c a.
      Proof. unfold in_level, at_. destruct (valid_dec C region a), (test _ _ c); intuition congruence. Qed.
      Lemma level_ok l ls F : check_levels V Mv Lv (l :: ls) F = true -> exists Op, check_levels V Mv Lv ls (FAnd (FAut Op here) F) = true /\
        (forall a, in_level l a -> ~ holds (FAut Lv here) (a ++ par)) /\
        (forall a, length a = k -> holds (FAut Op here) (a ++ par) <-> exists b, In b (options R par a) /\ in_level l b) /\
        (forall a, valid C region par a -> in_level l a <-> (forall b, In b (options R par a) -> ~ in_level l b) /\ holds F (a ++ par)).
      Proof.
        cbn [check_levels]. destruct (compile (FAnd _ _)) as [A|] eqn:EA; [|discriminate].
        destruct (compile (some_option R Mv A 0)) as [Op|] eqn:EO; [|discriminate]. intros [[H1 H3]%andb_prop H2]%andb_prop.
        pose proof (option_here _ A Op _ EA EO (in_level_ok l)) as FO. exists Op. split; [exact H2|].
        split; [intros a Ha; apply (decide_correct _ H3 (a ++ par)), FO; [apply (proj1 Ha)|exact Ha]|].
        split; [intros a Ha; apply (FO a Ha)|]. intros a Va. assert (Ha : length a = k) by apply Va.
        pose proof (decide_correct _ H1 (a ++ par) (proj2 (V_here a Ha) Va)) as Q.
        change (holds (FAut A here) (a ++ par) <-> ~ holds (FAut Op here) (a ++ par) /\ holds F (a ++ par)) in Q.
        rewrite (proj1 (FO a Ha)), (proj2 (FO a Ha)) in Q. rewrite Q. split; intros [G1 G2]; (split; [|exact G2]).
        - intros b I Hb. apply G1. eauto.
        - intros (b & I & Hb). exact (G1 b I Hb).
      Qed.

      Definition is_value (h : answer) (v : N) : list N -> Prop := in_level (said h v).
      Lemma is_number e v a : at_ R par a (said (Number e) v) <-> number_at R par a e = Z.of_N v.
      Proof. unfold at_, said, number_at. cbn [test den]. now rewrite Z.eqb_eq. Qed.
      Definition kept (h : answer) (a : list N) (v : N) : Prop :=
        rule _ (options R par) (is_value h) v a /\ (is_value h v a -> ~ holds (FAut Lv here) (a ++ par)).
      Lemma number_rule e : check_number V Mv Lv e = true -> forall a v, valid C region par a -> kept (Number e) a v.
      Proof.
        unfold check_number. destruct (compile (FAnd _ _)) as [A|] eqn:EA; [|discriminate].
        destruct (compile (some_option R Mv A 1)) as [Op|] eqn:EO; [|discriminate]. intros [[[H0 H1]%andb_prop H2]%andb_prop H3]%andb_prop a v Va.
        assert (Ha : length a = k) by apply Va. split; [|intros _; apply (decide_correct _ H0 (a ++ par)); now apply V_here].
        assert (F : forall a w, length a = k -> holds (FAnd (FAut V here) (equal_last e)) (at_last a w) <-> is_value (Number e) w a).
        { intros b w Hb. cbn [holds]. fold (holds (FAut V here) (at_last b w)) (holds (equal_last e) (at_last b w)). unfold is_value, in_level.
          rewrite is_number, (equal_ok e b w Hb), <- (V_ok b [w] Hb). reflexivity. }
        pose proof (fun w => option_last _ A Op _ EA EO F a w Ha) as FO.
        assert (T : (0 <= number_at R par a e)%Z) by (apply (number_ok e a Ha), (decide_correct _ H1 (a ++ par)); now apply V_here).
        assert (D : forall w, is_value (Number e) w a -> ~ exists b, In b (options R par a) /\ is_value (Number e) w b).
        { intros w Hw. rewrite <- (proj2 (FO w)). apply (decide_correct _ H2 (at_last a w)). now apply FO. }
        assert (L : forall w, (Z.of_N w < number_at R par a e)%Z -> exists b, In b (options R par a) /\ is_value (Number e) w b).
        { intros w Hw. apply FO, (decide_correct _ H3 (at_last a w)). split; [now apply V_ok|]. now apply above_ok. }
        assert (N : forall w, is_value (Number e) w a <-> number_at R par a e = Z.of_N w) by (intros w; unfold is_value, in_level; rewrite is_number; tauto).
        unfold rule. split.
        - intros Hv. split; [intros b I Hb; apply (D v Hv); eauto|]. intros w Lw. apply L. apply N in Hv. lia.
        - intros [G1 G2]. apply N. destruct (Z.lt_trichotomy (number_at R par a e) (Z.of_N v)) as [X|[X|X]]; [|exact X|].
          + destruct (D (Z.to_N (number_at R par a e))); [apply N; lia|]. apply G2. lia.
          + destruct (L v X) as (b & I & Hb). destruct (G1 b I Hb).
      Qed.
      Lemma levels_rule all : forall ls n F, check_levels V Mv Lv ls F = true -> skipn n all = ls ->
        (forall a, length a = k ->
          holds F (a ++ par) <-> forall w, N.to_nat w < n -> exists b, In b (options R par a) /\ is_value (Levels all) w b) ->
        forall a v, valid C region par a -> n <= N.to_nat v < length all -> kept (Levels all) a v.
      Proof.
        induction ls as [|l ls IH]; intros n F H E HF a v Va Hv.
        - apply (f_equal (@length bexp)) in E. rewrite skipn_length in E. cbn in E. lia.
        - destruct (level_ok l ls F H) as (Op & H' & HC & HO & HR). apply (skipn_cons _ (Truth false)) in E as [El E].
          destruct (Nat.eq_dec (N.to_nat v) n) as [<-|n'].
          + unfold kept, rule. change (is_value (Levels all) v) with (in_level (nth (N.to_nat v) all (Truth false))). rewrite El.
            split; [|apply HC]. rewrite (HR a Va), (HF a) by apply Va. split; intros [G1 G2]; (split; [exact G1|]); intros w L; apply G2; lia.
          + apply (IH (S n) (FAnd (FAut Op here) F)); [exact H'|exact E| |exact Va|lia]. intros b Hb.
            change (holds (FAut Op here) (b ++ par) /\ holds F (b ++ par) <->
              forall w, N.to_nat w < S n -> exists c, In c (options R par b) /\ is_value (Levels all) w c).
            rewrite (HO b Hb), (HF b Hb). split.
            * intros [G1 G2] w L. destruct (Nat.eq_dec (N.to_nat w) n) as [e|]; [|apply G2; lia]. unfold is_value, said. now rewrite e, El.
            * intros G. split; [|intros w L; apply G; lia]. specialize (G (N.of_nat n) ltac:(lia)). unfold is_value, said in G.
              now rewrite Nat2N.id, El in G.
      Qed.

      Lemma misere_ok c : check_game P Mv = true -> check_levels V Mv Lv [c] (FAut Mv here) = true ->
        forall a, valid C region par a -> (Pmis _ (options R par) a <-> in_level c a).
      Proof.
        intros HG HD a Va. destruct (level_ok c [] _ HD) as (Op & _ & HC & _ & HR).
        apply (misere_right _ _ (valid C true par) (valid C region par) (fun a => Z.to_N (number_at R par a (measure R))) (game_ok HG));
          [now intros b []|apply in_level_dec| | |now apply valid_position in Va|exact Va]; clear a Va.
        - intros a _ Va. assert (Ha : length a = k) by apply Va. rewrite (HR a Va). cbn [holds]. rewrite (pick_here0 a Ha), (Mv_ok a Ha). split.
          + intros [G n]. split; [|exact G]. destruct (options R par a) as [|b l]; [now destruct n|exists b; now left].
          + intros [[b I] G]. split; [exact G|]. intros E. now rewrite E in I.
        - intros a b _ Ha. now apply (leaving_ok HG a b (proj1 Ha)), HC.
      Qed.

      Lemma broken_ok h f : check_game P Mv = true -> broken Mv h = Some f ->
        (forall a, valid C true par a -> forall v, about h v -> (grundy _ (options R par) a v <-> at_ R par a (said h v))) ->
        forall a, valid C true par a -> holds f (a ++ par) -> False.
      Proof.
        intros HG E All a Va Hf. assert (Ha : length a = k) by apply Va.
        pose proof (right_rule _ _ _ _ (game_ok HG) (fun v a => at_ R par a (said h v)) (about h) (about_down h) All a) as G.
        destruct h as [[|c [|]]|e]; try discriminate; unfold broken in E.
        - destruct (compile (cond ns c)) as [A|] eqn:EA; [|discriminate]. cbn [bind] in E.
          destruct (compile (some_option R Mv A 0)) as [Op|] eqn:EO; [|discriminate]. injection E as <-.
          specialize (G 0%N Va ltac:(cbn; lia)). unfold rule in G. cbn [said nth N.to_nat] in G. apply Hf.
          destruct (option_here _ A Op (fun a => at_ R par a c) EA EO (fun a _ => cond_ok ns (a ++ par) c) a Ha) as [FA FO].
          change (holds (FAut A here) (a ++ par) <-> ~ holds (FAut Op here) (a ++ par)). rewrite FA, FO, G. split.
          + intros [G1 _] (b & I & Hb). exact (G1 b I Hb).
          + intros n. split; [intros b I Hb; eauto|]. intros w Lw. lia.
        - destruct (compile (equal_last e)) as [A|] eqn:EA; [|discriminate]. cbn [bind] in E.
          destruct (compile (some_option R Mv A 1)) as [Op|] eqn:EO; [|discriminate]. cbn [bind] in E.
          destruct (compile (FOr _ _)) as [B|] eqn:EB; [|discriminate]. injection E as <-.
          destruct (grundy_exists _ _ _ _ (game_ok HG) a Va) as [g Hg]. apply (All a Va g I), is_number in Hg.
          destruct Hf as [Hf|[w Hf]]; [apply Hf, (number_ok e a Ha); lia|].
          assert (E : pick (w :: a ++ par) (map S here ++ [0]) = at_last a w).
          { rewrite pick_app, pick_skip, (pick_here0 a Ha). unfold at_last. now rewrite <- app_assoc. }
          cbn [holds] in Hf. rewrite E in Hf. apply (proj2 (compile_ok _ EB) (at_last a w)) in Hf.
          destruct (option_last _ A Op _ EA EO (equal_ok e) a w Ha) as [FA FO]. specialize (G g Va I). unfold rule in G.
          rewrite is_number in G. destruct (proj1 G Hg) as [G1 G2].
          assert (Hf' : (holds (FAut A (here ++ [last])) (at_last a w) /\ holds (FAut Op (here ++ [last])) (at_last a w)) \/
            (holds (above_last e) (at_last a w) /\ ~ holds (FAut Op (here ++ [last])) (at_last a w))) by exact Hf.
          rewrite FA, FO, (above_ok e a w Ha) in Hf'. destruct Hf' as [[Hw (b & J & Hb)]|[Hw Ho]].
          + apply (G1 b J). apply is_number. lia.
          + destruct (G2 w ltac:(lia)) as (b & J & Hb). apply Ho. exists b. split; [exact J|]. now apply is_number.
      Qed.
    End Prepared.
  End At.

  (** *** The theorems *)
  Lemma prepared_ok C region go : prepared C region go = true -> exists E P V Mv L, compile (FLe [] 0) = Some E /\
    compile (valid_f C true) = Some P /\ compile (valid_f C region) = Some V /\ compile (movable R E) = Some Mv /\
    compile (leaving region V Mv) = Some L /\ check_game P Mv = true /\ go P V Mv L = true.
  Proof.
    unfold prepared. destruct (compile (FLe [] 0)) as [E|]; [|discriminate]. destruct (compile (valid_f C (Truth true))) as [P|] eqn:EP; [|discriminate].
    destruct (compile (valid_f C region)) as [V|] eqn:EV; [|discriminate]. destruct (compile (movable R E)) as [Mv|] eqn:EM; [|discriminate].
    destruct (compile (leaving region V Mv)) as [L|] eqn:EL; [|discriminate]. intros [HG H]%andb_prop. exists E, P, V, Mv, L. auto 7.
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
      intros H a Va. destruct (prepared_ok _ _ _ H) as (E & P & V & Mv & L & HE & HP' & HV & HM & HL & HG & HA). destruct HP as [Hr _].
      pose proof (game_ok par Hr C P Mv E HE HP' HM HG) as Low. pose proof (valid_position par C region a Va) as Pa.
      assert (Q : forall b w, valid C region par b -> about h w -> kept par C region L h b w).
      { intros b w Vb Kw. destruct h as [ls|e]; [|eapply number_rule; eauto]. cbn [about] in Kw.
        eapply levels_rule with (ls := ls) (n := 0); eauto; [|lia]. intros c _. cbn. split; [intros _ u Lu; lia|lia]. }
      split; [|exact (P_grundy _ _ _ _ Low a Pa)]. intros v Kv.
      rewrite (answer_right _ _ _ _ Low (is_value par C region h) (about h) (about_down h) (valid C region par)) with (a := a) (v := v); auto.
      - unfold is_value, in_level. tauto.
      - now intros w b [].
      - intros w b. apply in_level_dec.
      - intros b w _ Vb Kw. now apply Q.
      - intros b c w _ Kw Hb. apply (leaving_ok par Hr C region P V Mv E L HE HP' HV HM HL HG b c (proj1 Hb)). now apply (Q b w (proj1 Hb) Kw).
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
    destruct (prepared_ok _ _ _ _ H) as (E & P & V & Mv & L & HE & HP' & HV & HM & HL & HG & HD).
    destruct HP as [Hr _]. rewrite (misere_ok R par Hr C region P V Mv E L HE HP' HV HM HL c HG HD a Va). unfold in_level. tauto.
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
    intros All. destruct (prepared_ok _ _ _ _ H) as (E & P & V & Mv & _ & HE & HP' & _ & HM & _ & HG & HD). destruct HP as [Hr HPd].
    destruct (broken R Mv h) as [f|] eqn:EB; [|discriminate]. pose proof (decide_correct _ HD par) as Q. cbn [holds] in Q.
    fold (holds (cond (parameters R) (Both (domain R) (Not C))) par) in Q. rewrite cond_ok, holds_exn in Q.
    unfold given in *. cbn [test] in Q. rewrite HPd in Q. destruct (test (parameters R) par C); [reflexivity|].
    destruct (Q eq_refl) as (a & Ha & HV' & Hf). exfalso.
    assert (V' : forall a, valid R true true par a -> position R par a).
    { intros b (Lb & _ & Hb). split; [exact Lb|]. unfold at_ in *. cbn [test] in Hb. now apply andb_prop in Hb. }
    apply (broken_ok R par Hr true P Mv E HE HP' HM h f HG EB) with a; [|
      rewrite <- (app_nil_r par) in HV'; now apply (valid_aut R par Hr true true P a [] HP' Ha) in HV'|exact Hf].
    intros b Vb. apply All. now apply V'.
  Qed.
  Lemma only_P_grundy a : position R par a -> (Ppos _ (options R par) a <-> grundy _ (options R par) a 0).
  Proof.
    intros HA. destruct (prepared_ok _ _ _ _ H) as (E & P & V & Mv & _ & HE & HP' & _ & HM & _ & HG & _).
    apply (P_grundy _ _ _ _ (game_ok R par (proj1 HP) true P Mv E HE HP' HM HG)). now apply all_valid.
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
