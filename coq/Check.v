(** The check of an answer about a game, and the theorems with which a file about the game ends. The check turns conditions
    into automata, and decides for all positions at once whether the answer keeps the rule of Grundy numbers. *)
From Coq Require Import String List Bool Arith NArith ZArith Lia.
From Grundylab Require Import Kernel Decide Games Language Rules.
Import ListNotations.
Local Open Scope list_scope.

(** An answer is either a list of conditions, of which number v says which positions have Grundy number v, or an expression
    for the Grundy number of every position. *)
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
  Let last := length ns.           (* the index of one more variable, after the position and the parameters *)
  Let here := here R.
  Let every := seq 0 (S last).     (* the position, the parameters and the last variable *)

  (** The positions that the answer is about: C is a condition on the parameters, region a condition on positions. *)
  Definition valid_f (C region : bexp) : formula :=
    FAnd (fren (Nat.add k) (cond (parameters R) (Both (domain R) C))) (cond ns (Both (space R) region)).
  Definition valid (C region : bexp) (par a : list N) : Prop :=
    length a = k /\ given R par (Both (domain R) C) /\ at_ R par a (Both (space R) region).

  (** The formula [related e f] says that f is true of the value of e (its variable 0). The next three compare that value with
      the last variable: it is equal, less, or greater. *)
  Definition related (e : expr) (f : formula) : formula := FEx (FAnd (graph ns e false) f).
  Definition equal_last (e : expr) := related e (FEq [(0, 1%Z); (S last, (-1)%Z)] 0).
  Definition below_last (e : expr) := related e (FLe [(0, 1%Z); (S last, (-1)%Z)] 1).
  Definition above_last (e : expr) := related e (FLe [(0, (-1)%Z); (S last, 1%Z)] 1).

  (** [pieces]: each part of each move as a move by itself. [single]: whether each move leads to one position. *)
  Definition pieces : list move := flat_map (fun m => map (fun cs => Move (choices m) (guard m) [cs] (a_pass m)) (parts m)) (moves R).
  Definition single : bool := forallb (fun m => Nat.eqb (length (parts m)) 1) (moves R).

  (** P: the positions that the answer is about. Mv: the positions from which there is a move that is no pass. The check says
      that in P the measure is a natural number, and that no move from P leads to a position in [Bad]: one outside P, or one
      with no smaller measure. *)
  Definition leading_to (Mv Bad : aut) (m : move) : formula :=
    let f := leading R (fun _ => Bad) 1 m in if a_pass m then FAnd f (FAut Mv here) else f.
  Definition check_game (P Mv : aut) : bool :=
    when (compile (FNot (FAnd (FAut P here) (below_last (measure R))))) (fun Bad =>
      decide (FImp (FAut P here) (FEx (graph ns (measure R) false))) &&
      decide (FImp (FAnd (FAut P here) (equal_last (measure R))) (FNot (ors (map (leading_to Mv Bad) pieces))))).
  (** V: the positions in the region. The formula says that a move leads out of the region; false if that is everything. *)
  Definition leaving (region : bexp) (V Mv : aut) : formula :=
    match region with
    | Truth true => FLe [] 1
    | _ => match compile (FNot (FAut V here)) with Some Out => some_option R Mv (fun _ => Out) 0 | None => FLe [] 0 end
    end.

  (** A position is in a level exactly if none of its options is in this level, and some option is in each level before.
      [before]: the formula for the second part. L: the positions from which a move leads out of the region; none of them may
      be in a level. *)
  Fixpoint check_levels (V Mv L : aut) (ls : list bexp) (before : formula) : bool :=
    match ls with
    | [] => true
    | l :: ls =>
        when (compile (FAnd (FAut V here) (cond ns l))) (fun A => when (compile (some_option R Mv (fun _ => A) 0)) (fun Op =>
          decide (FImp (FAut V here) (FIff (FAut A here) (FAnd (FNot (FAut Op here)) before))) &&
          decide (FImp (FAut A here) (FNot (FAut L here))) && check_levels V Mv L ls (FAnd (FAut Op here) before)))
    end.

  (** Given an automaton A that reads a position, the parameters and the position's number, [xors A h] reads h positions, the
      parameters and the nim-sum of the positions' numbers. *)
  Definition is_xor (x y z : nat) : formula :=
    let leaf b := Node z (Leaf (negb b)) (Leaf b) in
    FDigits (Node x (Node y (leaf false) (leaf true)) (Node y (leaf true) (leaf false))).
  Fixpoint xors (A : aut) (h : nat) : option aut :=
    match h with
    | 0 => compile (FEq [(r, 1%Z)] 0)
    | S 0 => Some A
    | S h => bind (xors A h) (fun B =>
        compile (FEx (FEx (FAnd (FAnd (FAut A (seq 2 k ++ seq (2 + k + h * k) r ++ [1])) (FAut B (seq (2 + k) (h * k + r) ++ [0])))
                                (is_xor 0 1 (2 + k + h * k + r))))))
    end.

  Definition most : nat := list_max (map (fun m => length (parts m)) (moves R)).
  Definition all_xors (A : aut) : list (option aut) := map (xors A) (seq 0 (S most)).

  (** The check that e is the Grundy number: no move leads to a sum of positions whose number is the value of e, and for each
      smaller number some move leads to a sum that has it. *)
  Definition check_number (C region : bexp) (e : expr) : bool :=
    when (compile (FLe [] 0)) (fun E => when (compile (valid_f C region)) (fun V => when (compile (movable R E)) (fun Mv =>
    when (compile (FAnd (FAut V here) (equal_last e))) (fun A => when (Some (all_xors A)) (fun Xs =>      (* bound here, so that they are computed once *)
    when (compile (some_option R Mv (fun h => match nth h Xs None with Some B => B | None => A end) 1)) (fun Op =>
      check_game V Mv && forallb (fun X => match X with Some _ => true | None => false end) Xs &&
      decide (FImp (FAut V here) (FEx (graph ns e false))) &&
      decide (FImp (FAut A every) (FNot (FAut Op every))) &&
      decide (FImp (FAnd (FAut V here) (above_last e)) (FAut Op every)))))))).

  (** Compute the automata P, V, Mv and L, check the game, and go on with the check [go]. *)
  Definition prepared (C region : bexp) (go : aut -> aut -> aut -> aut -> bool) : bool :=
    when (compile (FLe [] 0)) (fun E => when (compile (valid_f C (Truth true))) (fun P => when (compile (valid_f C region)) (fun V =>
    when (compile (movable R E)) (fun Mv => when (compile (leaving region V Mv)) (fun L => single && check_game P Mv && go P V Mv L))))).
  Definition check (C region : bexp) (h : answer) : bool :=
    match h with
    | Levels ls => prepared C region (fun _ V Mv L => check_levels V Mv L ls (FLe [] 0))
    | Number e => single && check_number C region e
    end.

  (** The check of P-positions under misère play: from each P-position, moreover, there must be a move. *)
  Definition check_misere (C region c : bexp) : bool :=
    prepared C region (fun _ V Mv L => check_levels V Mv L [c] (FAut Mv here)).

  (** The formula that a position breaks the rule of P-positions: c must be true of a position exactly if it is true of none of
      its options. *)
  Definition broken (Mv : aut) (c : bexp) : option formula :=
    bind (compile (cond ns c)) (fun A => bind (compile (some_option R Mv (fun _ => A) 0)) (fun Op =>
      Some (FNot (FIff (FAut A here) (FNot (FAut Op here)))))).
  Fixpoint exn (n : nat) (f : formula) : formula := match n with O => f | S n => exn n (FEx f) end.

  (** The check that, for all parameters for which C is false, the answer is wrong at some position. *)
  Definition check_only (C c : bexp) : bool :=
    prepared true true (fun P _ Mv _ =>
      when (broken Mv c) (fun f => decide (FImp (cond (parameters R) (Both (domain R) (Not C))) (exn k (FAnd (FAut P here) f))))).

  (** The check that all positions where W is true are in the region, and that the formula f is true of them. *)
  Definition follows (C region W : bexp) (f : formula) : bool := decide (FImp (valid_f C W) (FAnd (cond ns region) f)).
  Definition is_said (c : bexp) : formula := cond ns c.
  Definition say_same (c d : bexp) : formula := FIff (cond ns c) (cond ns d).

  (** *** The meaning of the formulas above *)
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
    Lemma pick_all a w : length a = k -> pick (at_last a w) every = at_last a w.
    Proof.
      intros Ha. rewrite <- (app_nil_r (at_last a w)) at 1. apply (pick_seq [] (at_last a w) []); [reflexivity|].
      unfold at_last, last, ns. rewrite !app_length. cbn [length]. lia.
    Qed.
    Lemma pick_here0 a : length a = k -> pick (a ++ par) here = a ++ par.
    Proof. intros Ha. rewrite <- (app_nil_r par) at 1. now apply pick_here. Qed.
    Lemma in_leads a m s : In s (leads R par a m) -> length s = length (parts m) /\
      forall b, In b s -> length b = k /\ exists cs, In cs (parts m) /\ In [b] (leads R par a (Move (choices m) (guard m) [cs] (a_pass m))).
    Proof.
      unfold leads. cbn [choices guard parts map concat]. intros I. apply in_flat_map in I as (vs & W & I).
      destruct (_ && _) eqn:E; [|destruct I]. destruct I as [<-|[]]. apply andb_prop in E as [E1 E2]. rewrite forallb_forall in E2.
      split; [now rewrite !map_length|]. intros b I. apply in_map_iff in I as (new & <- & I). pose proof I as J. apply in_map_iff in J as (cs & <- & J).
      split; [now rewrite !map_length|]. exists cs. split; [exact J|]. apply in_flat_map. exists vs. split; [exact W|]. rewrite app_nil_r, E1.
      replace (forallb _ _) with true by (symmetry; apply forallb_forall; intros z Iz; apply E2, in_concat; eauto). now left.
    Qed.
    Lemma in_sums a s : In s (sums R par a) -> exists m, In m (moves R) /\ In s (leads R par a m).
    Proof.
      assert (H : forall f, In s (flat_map (leads R par a) (filter f (moves R))) -> exists m, In m (moves R) /\ In s (leads R par a m)).
      { intros f I. apply in_flat_map in I as (m & J & I). apply filter_In in J as [J _]. eauto. }
      unfold sums. destruct (flat_map _ _) eqn:E; [intros []|]. rewrite <- E. intros [I|I]%in_app_iff; eauto.
    Qed.
    Lemma single_sums a : single = true -> forall s, In s (sums R par a) -> exists b, s = [b] /\ length b = k.
    Proof.
      unfold single. rewrite forallb_forall. intros HS s I. apply in_sums in I as (m & J & I). apply HS, Nat.eqb_eq in J.
      apply in_leads in I as [L H]. rewrite J in L. destruct s as [|b [|]]; try discriminate. exists b. split; [reflexivity|]. apply H. now left.
    Qed.
    Lemma in_options a b : single = true -> In b (options R par a) <-> In [b] (sums R par a).
    Proof.
      intros HS. unfold options. rewrite in_map_iff. split.
      - intros (s & <- & I). destruct (single_sums a HS s I) as (c & -> & _). cbn. now rewrite app_nil_r.
      - intros I. exists [b]. cbn. now rewrite app_nil_r.
    Qed.
    Lemma option_length a b : single = true -> In b (options R par a) -> length b = k.
    Proof. intros HS I. apply (in_options a b HS) in I. destruct (single_sums a HS _ I) as (c & [= <-] & L). exact L. Qed.
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

    Lemma is_number e v a : at_ R par a (said (Number e) v) <-> number_at R par a e = Z.of_N v.
    Proof. unfold at_, said, number_at. cbn [test den]. now rewrite Z.eqb_eq. Qed.
    Lemma V_here C region V a : compile (valid_f C region) = Some V -> length a = k -> holds (FAut V here) (a ++ par) <-> valid C region par a.
    Proof. intros HV Ha. rewrite <- (app_nil_r par) at 1. now apply valid_aut. Qed.
    Lemma Mv_ok E Mv : compile (FLe [] 0) = Some E -> compile (movable R E) = Some Mv -> is_movable R par Mv.
    Proof.
      intros HE HM a Ha. rewrite (proj2 (compile_ok _ HM) (a ++ par)). unfold movable.
      pose proof (leading_some R par Hr (fun _ => E) a [] (filter (fun m => negb (a_pass m)) (moves R)) Ha) as L.
      rewrite app_nil_r in L. cbn [length] in L. rewrite L. unfold sums. set (others := flat_map _ _).
      destruct others as [|o os].
      - split; [now intros (? & [] & _)|now intros []].
      - split; [discriminate|]. intros _. exists o. split; [now left|]. apply (proj2 (compile_ok _ HE)). cbn. lia.
    Qed.
    Lemma game_ok C region P Mv : compile (valid_f C region) = Some P -> is_movable R par Mv -> check_game P Mv = true ->
      forall a s, valid C region par a -> In s (sums R par a) -> forall b, In b s ->
      valid C region par b /\ (Z.to_N (number_at R par b (measure R)) < Z.to_N (number_at R par a (measure R)))%N.
    Proof.
      unfold check_game. intros HP HM (Bad & EB & [H1 H2]%andb_prop)%when_ok a s Va I b J.
      assert (Ha : length a = k) by apply Va. assert (Move_a : lang Mv (init Mv) (a ++ par) = true) by (apply HM; [exact Ha|]; intros E; now rewrite E in I).
      apply in_sums in I as (m & Im & I). apply in_leads in I as [_ I].
      destruct (I b J) as (Hb & cs & Ics & Lb). clear I.
      pose proof (fun a more => valid_aut C region P a more HP) as P_ok. set (u := Z.to_N (number_at R par a (measure R))).
      assert (N0 : (0 <= number_at R par a (measure R))%Z) by (apply (number_ok _ a Ha), (decide_correct _ H1 (a ++ par)), (V_here C region); auto).
      assert (B : lang Bad (init Bad) (at_last b u) <> true).
      { intros B. apply (decide_correct _ H2 (at_last a u)); [split; [now apply P_ok|]; apply equal_ok; [exact Ha|unfold u; lia]|].
        apply holds_ors. eexists. split.
        - apply in_map, in_flat_map. exists m. split; [exact Im|]. exact (in_map (fun cs => Move _ _ [cs] _) _ _ Ics).
        - unfold leading_to. assert (F : holds (leading R (fun _ => Bad) 1 (Move (choices m) (guard m) [cs] (a_pass m))) (at_last a u)).
          { apply (leading_ok R par Hr (fun _ => Bad) _ a [u] Ha). exists [b]. split; [exact Lb|]. unfold accepted. cbn [concat]. now rewrite app_nil_r. }
          cbn [a_pass]. destruct (a_pass m); [|exact F]. split; [exact F|]. cbn [holds]. unfold at_last, here. now rewrite (pick_here R par Hr a [u] Ha). }
      destruct (valid_dec C region b) as [Vb|n], (Z_lt_dec (number_at R par b (measure R)) (Z.of_N u)) as [L|L],
        (Z_le_dec 0 (number_at R par b (measure R))) as [L'|L']; try (split; [exact Vb|lia]); exfalso; apply B;
        apply (proj2 (compile_ok _ EB) (at_last b u)); cbn [holds]; intros [G1 G2];
        apply (P_ok b [u] Hb) in G1; apply (below_ok _ b u Hb) in G2; tauto.
    Qed.

    Section Prepared.
      Variables (C region : bexp) (P V Mv E0 Lv : aut).
      Hypothesis HE : compile (FLe [] 0) = Some E0.
      Hypothesis HP : compile (valid_f C true) = Some P.
      Hypothesis HV : compile (valid_f C region) = Some V.
      Hypothesis HM : compile (movable R E0) = Some Mv.
      Hypothesis HL : compile (leaving region V Mv) = Some Lv.
      Hypothesis HS : single = true.
      Let V_here a := V_here C region V a HV.

      (** If A accepts the positions with a property Q, then Op accepts the positions with an option that has Q. *)
      Lemma option_here f A Op Q : compile f = Some A -> compile (some_option R Mv (fun _ => A) 0) = Some Op ->
        (forall a, length a = k -> holds f (a ++ par) <-> Q a) -> forall a, length a = k ->
        (holds (FAut A here) (a ++ par) <-> Q a) /\ (holds (FAut Op here) (a ++ par) <-> exists b, In b (options R par a) /\ Q b).
      Proof.
        intros EA EO HQ a Ha. rewrite (at_position A f a Ha EA), (at_position Op _ a Ha EO). split; [now apply HQ|].
        pose proof (some_option_ok R par Hr Mv (fun _ => A) a [] (Mv_ok E0 Mv HE HM) Ha) as S. cbn [length] in S. rewrite app_nil_r in S.
        rewrite S. unfold accepted. setoid_rewrite app_nil_r. setoid_rewrite (proj2 (compile_ok _ EA)). split.
        - intros (s & I & G). destruct (single_sums a HS s I) as (b & -> & Hb). exists b. split; [now apply in_options|].
          cbn [concat] in G. rewrite app_nil_r in G. now apply HQ.
        - intros (b & I & G). exists [b]. split; [now apply in_options|]. cbn [concat]. rewrite app_nil_r.
          apply HQ; [|exact G]. now apply (option_length a).
      Qed.
      Lemma leaving_ok : check_game P Mv = true -> forall a b, valid C region par a -> ~ holds (FAut Lv here) (a ++ par) ->
        In b (options R par a) -> valid C region par b.
      Proof.
        intros HG a b Va n I. assert (Ha : length a = k) by apply Va. rewrite (at_position Lv _ a Ha HL) in n. unfold leaving in n.
        destruct (valid_dec C region b) as [|nb]; [assumption|exfalso].
        assert (D : region = Truth true \/ ~ holds (match compile (FNot (FAut V here)) with Some Out => some_option R Mv (fun _ => Out) 0 | None => FLe [] 0 end) (a ++ par))
          by (destruct region as [[|]| | | | | | |]; auto).
        destruct D as [E|D].
        - apply nb. rewrite E in *. apply (game_ok C true P Mv HP (Mv_ok E0 Mv HE HM) HG a [b] Va); [now apply in_options|now left].
        - destruct (compile (FNot _)) as [Out|] eqn:EO; apply D; [|cbn; lia].
          pose proof (some_option_ok R par Hr Mv (fun _ => Out) a [] (Mv_ok E0 Mv HE HM) Ha) as S. cbn [length] in S. rewrite app_nil_r in S. apply S.
          exists [b]. split; [now apply in_options|]. unfold accepted. cbn [concat]. rewrite !app_nil_r. apply (proj2 (compile_ok _ EO) (b ++ par)).
          intros G. apply nb. apply V_here; [|exact G]. now apply (option_length a).
      Qed.

      (** A position is in a level if it is valid and satisfies the level's condition. [level_ok]: the check of one level. *)
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
        cbn [check_levels]. intros (A & EA & (Op & EO & [[H1 H3]%andb_prop H2]%andb_prop)%when_ok)%when_ok.
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
      Definition kept (h : answer) (a : list N) (v : N) : Prop :=
        rule _ (options R par) (is_value h) v a /\ (is_value h v a -> ~ holds (FAut Lv here) (a ++ par)).
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

      Lemma ends : check_game P Mv = true -> forall a b, valid C true par a -> In b (options R par a) ->
        valid C true par b /\ (Z.to_N (number_at R par b (measure R)) < Z.to_N (number_at R par a (measure R)))%N.
      Proof. intros HG a b Va I. apply (game_ok C true P Mv HP (Mv_ok E0 Mv HE HM) HG a [b] Va); [now apply in_options|now left]. Qed.
      Lemma misere_ok c : check_game P Mv = true -> check_levels V Mv Lv [c] (FAut Mv here) = true ->
        forall a, valid C region par a -> (Pmis _ (options R par) a <-> in_level c a).
      Proof.
        intros HG HD a Va. destruct (level_ok c [] _ HD) as (Op & _ & HC & _ & HR).
        apply (misere_right _ _ (valid C true par) (valid C region par) (fun a => Z.to_N (number_at R par a (measure R))) (ends HG));
          [now intros b []|apply in_level_dec| | |now apply valid_position in Va|exact Va]; clear a Va.
        - intros a _ Va. assert (Ha : length a = k) by apply Va. rewrite (HR a Va). cbn [holds]. rewrite (pick_here0 a Ha), (Mv_ok E0 Mv HE HM a Ha).
          assert (NE : sums R par a <> [] <-> options R par a <> []) by (unfold options; destruct (sums R par a); cbn [map]; [tauto|split; discriminate]). rewrite NE. split.
          + intros [G n]. split; [|exact G]. destruct (options R par a) as [|b l]; [now destruct n|exists b; now left].
          + intros [[b I] G]. split; [exact G|]. intros E. now rewrite E in I.
        - intros a b _ Ha. now apply (leaving_ok HG a b (proj1 Ha)), HC.
      Qed.

      Lemma broken_ok c f : check_game P Mv = true -> broken Mv c = Some f ->
        (forall a, valid C true par a -> (Ppos _ (options R par) a <-> at_ R par a c)) ->
        forall a, valid C true par a -> holds f (a ++ par) -> False.
      Proof.
        intros HG E All a Va Hf. assert (Ha : length a = k) by apply Va.
        unfold broken in E. destruct (compile (cond ns c)) as [A|] eqn:EA; [|discriminate]. cbn [bind] in E.
        destruct (compile (some_option R Mv _ 0)) as [Op|] eqn:EO; [|discriminate]. injection E as <-.
        destruct (option_here _ A Op (fun a => at_ R par a c) EA EO (fun a _ => cond_ok ns (a ++ par) c) a Ha) as [FA FO]. apply Hf.
        change (holds (FAut A here) (a ++ par) <-> ~ holds (FAut Op here) (a ++ par)). rewrite FA, FO.
        rewrite <- (All a Va), (P_rule _ _ _ _ (ends HG) a Va). split.
        - intros G (b & I & Hb). apply (G b I), All; [now apply (ends HG a)|exact Hb].
        - intros G b I Hb. apply G. exists b. split; [exact I|]. apply All; [now apply (ends HG a)|exact Hb].
      Qed.
    End Prepared.

    (** *** Numbers *)
    Lemma few a s : In s (sums R par a) -> length s <= most.
    Proof.
      intros (m & J & [-> _]%in_leads)%in_sums. apply (proj1 (Forall_forall _ _) (proj1 (list_max_le _ _) (le_n most))).
      now apply (in_map (fun m => length (parts m))).
    Qed.
    Definition num_of (e : expr) (a : list N) : N := Z.to_N (number_at R par a e).
    (** Moves lower the measure; no move leads to a sum whose number is the value of e; for each smaller number, some move
        leads to a sum that has it. *)
    Definition keeps (C region : bexp) (e : expr) : Prop :=
      (forall a s, valid C region par a -> In s (sums R par a) -> (N.of_nat (length s) <= N.of_nat most)%N /\ forall b, In b s ->
        valid C region par b /\ (Z.to_N (number_at R par b (measure R)) < Z.to_N (number_at R par a (measure R)))%N) /\
      (forall a, valid C region par a -> (0 <= number_at R par a e)%Z /\ (forall s, In s (sums R par a) -> nim_sum _ (num_of e) s <> num_of e a) /\
        (forall w, (w < num_of e a)%N -> exists s, In s (sums R par a) /\ nim_sum _ (num_of e) s = w)).
    Section Numbers.
      Variables (C region : bexp) (e : expr).
      Let num := num_of e.
      Lemma xors_ok A : (forall a w, length a = k -> lang A (init A) (at_last a w) = true <-> valid C region par a /\ num a = w) ->
        forall h B, xors A h = Some B -> forall s w, length s = h -> (forall b, In b s -> valid C region par b) ->
        (lang B (init B) (at_last (concat s) w) = true <-> nim_sum _ num s = w).
      Proof.
        intros HA. induction h as [|[|h] IH]; intros B HB s w L V; destruct s as [|b s]; try discriminate L.
        - apply compile_ok in HB as [_ HB]. rewrite HB. unfold at_last. cbn [holds concat app nim_sum fold_right]. unfold lin. cbn [fold_right fst snd].
          unfold var. rewrite app_nth2 by lia. rewrite Hr, Nat.sub_diag. cbn [nth]. lia.
        - destruct s; [|discriminate L]. injection HB as <-. cbn [concat]. rewrite app_nil_r.
          assert (Vb : valid C region par b) by (apply V; now left). rewrite HA by apply Vb. cbn. rewrite N.lxor_0_r. tauto.
        - set (h' := S h) in *. cbn [xors] in HB. fold h' in HB. destruct (xors A h') as [B'|] eqn:EB; [|discriminate]. cbn [bind] in HB.
          injection L as L. specialize (IH B' eq_refl s). apply compile_ok in HB as [_ HB]. rewrite HB.
          assert (Vb : valid C region par b) by (apply V; now left). assert (Hb : length b = k) by apply Vb.
          assert (Lc : length (concat s) = h' * k).
          { rewrite <- L. assert (W : forall b, In b s -> length b = k) by (intros c J; apply (V c (or_intror J))). clear - W.
            induction s as [|c s IH]; [reflexivity|]. cbn. rewrite app_length, (W c (or_introl eq_refl)), IH by (intros; apply W; now right). reflexivity. }
          assert (X : forall u v, holds (is_xor 0 1 (2 + k + h' * k + r)) (v :: u :: at_last (concat (b :: s)) w) <-> N.lxor u v = w).
          { intros u v. assert (Ew : var (v :: u :: at_last (concat (b :: s)) w) (2 + k + h' * k + r) = w).
            { unfold var, at_last. cbn [concat Nat.add nth]. rewrite !app_nth2 by (rewrite !app_length; lia). rewrite !app_length.
              now replace (_ - _ - _) with 0 by lia. }
            cbn [holds is_xor]. rewrite <- N.bits_inj_iff. split; intros G i; specialize (G i); rewrite N.lxor_spec in *; cbn [eval] in *;
              rewrite !nth_digits, Ew in *; unfold var in *; cbn [nth] in *;
              destruct (N.testbit u i), (N.testbit v i), (N.testbit w i); easy. }
          cbn [holds]. cbn [holds] in X. setoid_rewrite X. clear X.
          assert (PA : forall u v, pick (v :: u :: at_last (concat (b :: s)) w) (seq 2 k ++ seq (2 + k + h' * k) r ++ [1]) = at_last b u).
          { intros u v. unfold at_last. cbn [concat]. rewrite !pick_app, <- (app_assoc b). f_equal; [|f_equal].
            - apply (pick_seq [v; u] b); auto.
            - replace (v :: u :: b ++ concat s ++ par ++ [w]) with (([v; u] ++ b ++ concat s) ++ par ++ [w]) by (cbn; now rewrite <- app_assoc).
              apply pick_seq; [rewrite !app_length; cbn [length]; lia|auto]. }
          assert (PB : forall u v, pick (v :: u :: at_last (concat (b :: s)) w) (seq (2 + k) (h' * k + r) ++ [0]) = at_last (concat s) v).
          { intros u v. unfold at_last. cbn [concat]. rewrite pick_app, (app_assoc (concat s) par [v]), <- (app_assoc b). f_equal.
            replace (v :: u :: b ++ concat s ++ par ++ [w]) with (([v; u] ++ b) ++ (concat s ++ par) ++ [w]) by (cbn; now rewrite <- !app_assoc).
            apply pick_seq; rewrite !app_length; cbn [length]; lia. }
          setoid_rewrite PA. setoid_rewrite PB. setoid_rewrite (fun u => HA b u Hb).
          setoid_rewrite (fun v => IH v L (fun c J => V c (or_intror J))). change (nim_sum _ num (b :: s)) with (N.lxor (num b) (nim_sum _ num s)). split.
          + intros (u & v & [[_ <-] <-] & E). exact E.
          + intros E. exists (num b), (nim_sum _ num s). tauto.
      Qed.

      Lemma number_rules : check_number C region e = true -> keeps C region e.
      Proof.
        intros (E & HE & (V & HV & (Mv & HM & (A & EA & (Xs & [= <-] & (Op & EO &
          [[[[HG HX]%andb_prop H1]%andb_prop H2]%andb_prop H3]%andb_prop)%when_ok)%when_ok)%when_ok)%when_ok)%when_ok)%when_ok.
        set (X := fun h => match nth h _ None with Some B => B | None => A end) in EO. unfold all_xors in *.
        assert (N0 : forall a, valid C region par a -> (0 <= number_at R par a e)%Z).
        { intros a Va. apply (number_ok e a (proj1 Va)), (decide_correct _ H1 (a ++ par)), (V_here C region); auto. apply Va. }
        assert (HA : forall a w, length a = k -> lang A (init A) (at_last a w) = true <-> valid C region par a /\ num a = w).
        { intros a w Ha. rewrite (proj2 (compile_ok _ EA)). change (holds (FAut V here) (at_last a w) /\ holds (equal_last e) (at_last a w) <-> valid C region par a /\ num a = w).
          rewrite (equal_ok e a w Ha). unfold at_last. rewrite (valid_aut C region V a [w] HV Ha). unfold num, num_of.
          split; intros [Va Hw]; (split; [exact Va|]); specialize (N0 a Va); lia. }
        assert (HO : forall a w, valid C region par a -> lang Op (init Op) (at_last a w) = true <-> exists s, In s (sums R par a) /\ nim_sum _ num s = w).
        { intros a w Va. rewrite (proj2 (compile_ok _ EO)). unfold at_last.
          rewrite (some_option_ok R par Hr Mv X a [w] (Mv_ok E Mv HE HM) (proj1 Va)).
          assert (Acc : forall s, In s (sums R par a) -> (accepted par X [w] s <-> nim_sum _ num s = w)).
          { intros s I. pose proof (few a s I). assert (J : In (length s) (seq 0 (S most))) by (apply in_seq; lia).
            rewrite forallb_forall in HX. specialize (HX _ (in_map (xors A) _ _ J)). unfold accepted, X.
            rewrite (nth_indep _ None (xors A 0)) by (rewrite map_length, seq_length; lia). rewrite map_nth, seq_nth by lia. cbn [Nat.add].
            destruct (xors A (length s)) as [B|] eqn:EB; [|discriminate]. apply (xors_ok A HA (length s) B EB s w eq_refl).
            intros b J'. now apply (game_ok C region V Mv HV (Mv_ok E Mv HE HM) HG a s Va I b J'). }
          split; intros (s & I & G); exists s; (split; [exact I|]); now apply (Acc s I). }
        split.
        - intros a s Va I. split; [pose proof (few a s I); lia|]. now apply (game_ok C region V Mv HV (Mv_ok E Mv HE HM) HG).
        - intros a Va. pose proof (N0 a Va) as N0a. assert (Ha : length a = k) by apply Va. split; [exact N0a|]. split.
          + intros s I Es. pose proof (decide_correct _ H2 (at_last a (num a))) as Q. cbn [holds] in Q. rewrite (pick_all _ _ Ha) in Q.
            exact (Q (proj2 (HA a (num a) Ha) (conj Va eq_refl)) (proj2 (HO a (num a) Va) (ex_intro _ s (conj I Es)))).
          + intros w Lw. apply HO; [exact Va|]. pose proof (decide_correct _ H3 (at_last a w)) as Q. cbn [holds] in Q. rewrite (pick_all _ _ Ha) in Q.
            apply Q. split; [exact (proj2 (valid_aut C region V a [w] HV Ha) Va)|]. apply (proj2 (above_ok e a w Ha)). unfold num, num_of in Lw. lia.
      Qed.
    End Numbers.

    (** An answer is right about a game whose positions are made ([made]) from the ruleset's: the same positions, or sums of
        one position. *)
    Definition settled (C region : bexp) (h : answer) S (options : S -> list S) (made : list N -> S) : Prop :=
      forall a, valid C region par a -> (forall v, about h v -> (grundy S options (made a) v <-> at_ R par a (said h v))) /\
        (Ppos S options (made a) <-> grundy S options (made a) 0).
    Lemma sum_settled C region e : keeps C region e -> settled C region (Number e) _ (of_sum _ (sums R par)) (fun a => [a]).
    Proof.
      intros [L M] a Va. assert (V1 : all_valid_in _ (valid C region par) [a]) by (intros b [<-|[]]; exact Va). split.
      - intros v _. rewrite (sprague_grundy _ _ _ _ _ _ L (fun a Va => proj2 (M a Va)) [a] V1 v), is_number. cbn. rewrite N.lxor_0_r.
        destruct (M a Va) as [N0 _]. unfold num_of. lia.
      - now apply (P_grundy _ _ _ _ (sum_lower _ _ _ _ _ L)).
    Qed.
    Lemma number_settled C region e : single = true -> keeps C region e -> settled C region (Number e) _ (options R par) (fun a => a).
    Proof.
      intros HS [L M] a Va. assert (Low : forall a b, valid C region par a -> In b (options R par a) ->
        valid C region par b /\ (Z.to_N (number_at R par b (measure R)) < Z.to_N (number_at R par a (measure R)))%N)
        by (intros b c Vb I; apply (L b [c]); [exact Vb|now apply in_options|now left]).
      split; [|now apply (P_grundy _ _ _ _ Low)]. intros v _. rewrite (mex_right _ _ _ _ Low (num_of e)); [| |exact Va].
      - destruct (M a Va) as [N0 _]. rewrite is_number. unfold num_of. lia.
      - clear a Va. intros a Va. destruct (M a Va) as (_ & M1 & M2). assert (One : forall b, nim_sum _ (num_of e) [b] = num_of e b) by (intros b; apply N.lxor_0_r). split.
        + intros b I. rewrite <- One. now apply M1, in_options.
        + intros w Lw. destruct (M2 w Lw) as (s & I & E). destruct (single_sums a HS s I) as (b & -> & _). exists b. rewrite in_options, <- One; auto.
    Qed.
  End At.

  (** *** The theorems *)
  Lemma prepared_ok C region go : prepared C region go = true -> exists E P V Mv L, compile (FLe [] 0) = Some E /\
    compile (valid_f C true) = Some P /\ compile (valid_f C region) = Some V /\ compile (movable R E) = Some Mv /\
    compile (leaving region V Mv) = Some L /\ single = true /\ check_game P Mv = true /\ go P V Mv L = true.
  Proof.
    intros (E & HE & (P & HP & (V & HV & (Mv & HM & (L & HL & [[HS HG]%andb_prop H]%andb_prop)%when_ok)%when_ok)%when_ok)%when_ok)%when_ok.
    exists E, P, V, Mv, L. auto 9.
  Qed.

  Section Right.
    Variables (C region : bexp) (par : list N).
    Hypothesis HP : parameter_values R par.
    Hypothesis HC : given R par C.
    Theorem check_right h : check C region h = true -> settled par C region h _ (options R par) (fun a => a).
    Proof.
      destruct HP as [Hr _]. destruct h as [ls|e]; [|intros [HS H]%andb_prop; now apply number_settled, number_rules].
      intros H a Va. destruct (prepared_ok _ _ _ H) as (E & P & V & Mv & L & HE & HP' & HV & HM & HL & HS & HG & HA).
      pose proof (ends par Hr C P Mv E HE HP' HM HS HG) as Low. pose proof (valid_position par C region a Va) as Pa.
      assert (Q : forall b w, valid C region par b -> about (Levels ls) w -> kept par C region L (Levels ls) b w).
      { intros b w Vb Kw. cbn [about] in Kw.
        eapply levels_rule with (ls := ls) (n := 0); eauto; [|lia]. intros c _. cbn. split; [intros _ u Lu; lia|lia]. }
      split; [|exact (P_grundy _ _ _ _ Low a Pa)]. intros v Kv.
      rewrite (answer_right _ _ _ _ Low (is_value par C region (Levels ls)) (about (Levels ls)) (about_down _) (valid C region par)) with (a := a) (v := v); auto.
      - unfold is_value, in_level. tauto.
      - now intros w b [].
      - intros w b. apply in_level_dec.
      - intros b w _ Vb Kw. now apply Q.
      - intros b c w _ Kw Hb. apply (leaving_ok par Hr C region P V Mv E L HE HP' HV HM HL HS HG b c (proj1 Hb)). now apply (Q b w (proj1 Hb) Kw).
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

(** The checks of claims. C: the condition on the parameters. W: the condition on positions under which something is claimed.
    claim: the claim. region, h: the answer that implies the claim. checked: whether the answer has been checked. *)
Definition level_by (checked : bool) R C region h v W claim : bool :=
  knows h v && checked && follows R C region W (say_same R (said h v) claim).
Definition number_by (checked : bool) R C region h W e : bool :=
  match h with Number g => checked && follows R C region W (is_said R (Equal g e)) | Levels _ => false end.
Definition check_sums R C region h : bool := match h with Number e => check_number R C region e | Levels _ => false end.
Definition misere_check R C region c W claim : bool := check_misere R C region c && follows R C region W (say_same R c claim).

(** The theorems about an answer that is right: they serve both for positions and for sums of one position. *)
Section By.
  Variables (R : rules) (C region : bexp) (h : answer) (W : bexp) (checked : bool).
  Variables (S : Type) (game : list N -> S -> list S) (made : list N -> S).
  Hypothesis right : checked = true -> forall par, parameter_values R par -> given R par C -> settled R par C region h S (game par) made.
  Lemma level_from v claim : level_by checked R C region h v W claim = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    (grundy S (game par) (made a) v <-> at_ R par a claim).
  Proof.
    unfold level_by. intros [[HK H]%andb_prop HF]%andb_prop par a HP HC HA HW.
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va E]. rewrite <- (say_same_ok R par _ _ a E).
    apply (right H par HP HC a Va). now apply knows_ok.
  Qed.
  Lemma P_from claim : level_by checked R C region h 0 W claim = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    (Ppos S (game par) (made a) <-> at_ R par a claim).
  Proof.
    intros H par a HP HC HA HW. rewrite <- (level_from 0%N claim H par a HP HC HA HW).
    unfold level_by in H. apply andb_prop in H as [[_ H]%andb_prop HF].
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va _]. now apply (right H par HP HC a Va).
  Qed.
  Lemma number_from e : number_by checked R C region h W e = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    forall v, grundy S (game par) (made a) v <-> number_at R par a e = Z.of_N v.
  Proof.
    destruct h as [|g] eqn:Eh; [discriminate|]. intros [H HF]%andb_prop par a HP HC HA HW v.
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va E].
    rewrite (proj1 (right H par HP HC a Va) v I). apply cond_ok in E.
    unfold at_, number_at in *. cbn [said test den] in *. apply Z.eqb_eq in E. now rewrite Z.eqb_eq, E.
  Qed.
End By.

Arguments level_from {R C region h W checked S game made}. Arguments P_from {R C region h W checked S game made}.
Arguments number_from {R C region h W checked S game made}.

Definition ordinary R C region h (H : check R C region h = true) par HP (_ : given R par C) := check_right R C region par HP h H.
Lemma of_sums R C region h : check_sums R C region h = true -> forall par, parameter_values R par -> given R par C ->
  settled R par C region h _ (of_sum _ (sums R par)) (fun a => [a]).
Proof. destruct h as [|g]; [discriminate|]. intros H par [Hr _] _. now apply sum_settled, number_rules. Qed.

Section Theorems.
  Variables (R : rules) (C region W : bexp).
  Theorem misere_proved c claim : misere_check R C region c W claim = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W ->
    (Pmis _ (options R par) a <-> at_ R par a claim).
  Proof.
    unfold misere_check. intros [H HF]%andb_prop par a HP HC HA HW.
    destruct (follows_ok R C region par HP HC W _ HF a HA HW) as [Va S]. rewrite <- (say_same_ok R par _ _ a S).
    destruct (prepared_ok _ _ _ _ H) as (E & P & V & Mv & L & HE & HP' & HV & HM & HL & HS & HG & HD).
    destruct HP as [Hr _]. rewrite (misere_ok R par Hr C region P V Mv E L HE HP' HV HM HL HS c HG HD a Va). unfold in_level. tauto.
  Qed.

  (** A claim that needs no moves: a condition is true at all positions where W is true. *)
  Theorem always_proved claim : follows R C true W (is_said R claim) = true ->
    forall par a, parameter_values R par -> given R par C -> position R par a -> at_ R par a W -> at_ R par a claim.
  Proof. intros HF par a HP HC HA HW. now apply cond_ok, (follows_ok R C true par HP HC W _ HF a HA HW). Qed.
End Theorems.

(** ** Claims that are true for exactly the parameters of a condition *)
Lemma holds_exn n : forall f vs, holds (exn n f) vs <-> exists l, length l = n /\ holds f (l ++ vs).
Proof.
  induction n as [|n IH]; intros f vs; cbn [exn].
  - split; [intros H; now exists []|]. intros ([|] & H & G); [exact G|discriminate].
  - rewrite IH. split.
    + intros (l & <- & v & H). now exists (v :: l).
    + intros ([|v l] & H & G); [discriminate|]. exists l. split; [now injection H|]. now exists v.
Qed.

Lemma only_ok R C c par : check_only R C c = true -> parameter_values R par ->
  (forall a, position R par a -> (Ppos _ (options R par) a <-> at_ R par a c)) -> given R par C.
Proof.
  intros H HP All. destruct (prepared_ok _ _ _ _ H) as (E & P & V & Mv & _ & HE & HP' & _ & HM & _ & HS & HG & HD). destruct HP as [Hr HPd].
  apply when_ok in HD as (f & EB & HD). pose proof (decide_correct _ HD par) as Q. cbn [holds] in Q.
  fold (holds (cond (parameters R) (Both (domain R) (Not C))) par) in Q. rewrite cond_ok, holds_exn in Q.
  unfold given in *. cbn [test] in Q. rewrite HPd in Q. destruct (test (parameters R) par C); [reflexivity|].
  destruct (Q eq_refl) as (a & Ha & HV' & Hf). exfalso.
  assert (V' : forall a, valid R true true par a -> position R par a).
  { intros b (Lb & _ & Hb). split; [exact Lb|]. unfold at_ in *. cbn [test] in Hb. exact (proj1 (andb_prop _ _ Hb)). }
  apply (broken_ok R par Hr true P Mv E HE HP' HM HS c f HG EB) with a; [|
    rewrite <- (app_nil_r par) in HV'; now apply (valid_aut R par Hr true true P a [] HP' Ha) in HV'|exact Hf].
  intros b Vb. apply All. now apply V'.
Qed.
Definition exact_level_check R C c : bool := level_by (check R C true (Levels [c])) R C true (Levels [c]) 0 true c && check_only R C c.
Theorem P_exactly R C claim : exact_level_check R C claim = true ->
  forall par, parameter_values R par ->
  (given R par C <-> forall a, position R par a -> (Ppos _ (options R par) a <-> at_ R par a claim)).
Proof.
  unfold exact_level_check. intros [H1 H2]%andb_prop par HP. split.
  - intros HC a HA. now apply (P_from (ordinary R C true _) _ H1).
  - apply (only_ok R C _ par H2 HP).
Qed.
