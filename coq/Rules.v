(** Rulesets: the options of a position by the rules ([options]), and formulas about options, for the check of answers. *)
From Coq Require Import String List Bool Arith NArith ZArith Lia.
From Grundylab Require Import Kernel Decide Games Language.
Import ListNotations.
Local Open Scope list_scope.

(** ** The content of a ruleset *)
Record choice := Choose { chosen : string; low : expr; high : expr }.       (* the player chooses a natural number from low to high *)
Record change := Becomes { coordinate : string; new : expr }.               (* new: depends on the old position and the choices *)
(** A move leads to one position, or to a sum of several. [parts] lists, for each of them, the coordinates that change. *)
Record move := Move { choices : list choice; guard : bexp; parts : list (list change); a_pass : bool }.
Record rules := Rules {
  coordinates : list string; parameters : list string;
  domain : bexp;             (* the condition on the parameters *)
  space : bexp;              (* the condition on the coordinates of a position *)
  measure : expr;            (* a number that every move lowers: only the proof needs it *)
  moves : list move }.

(** [ways]: for each way to choose, the values of the choices in front of the values [vs]. [after]: the names of all these. *)
Fixpoint ways (cs : list choice) (ns : list string) (vs : list N) : list (list N) :=
  match cs with
  | [] => [vs]
  | c :: cs => flat_map (fun v => ways cs (chosen c :: ns) (v :: vs)) (range (den ns vs (low c)) (den ns vs (high c)))
  end.
Fixpoint after (cs : list choice) (ns : list string) : list string :=
  match cs with [] => ns | c :: cs => after cs (chosen c :: ns) end.

(** [leads]: the sums of positions that a move leads to, one for each way to choose. Coordinates that the move does not change
    stay as they are; ways that would make one negative are left out. *)
Definition becomes (cs : list change) (x : string) : expr :=
  fold_right (fun c e => if String.eqb (coordinate c) x then new c else e) (Var x) cs.
Definition leads (R : rules) (par a : list N) (m : move) : list (list (list N)) :=
  let ns := after (choices m) (coordinates R ++ parameters R) in
  let new vs := map (fun cs => map (fun x => den ns vs (becomes cs x)) (coordinates R)) (parts m) in
  flat_map (fun vs => if test ns vs (guard m) && forallb (Z.leb 0) (concat (new vs)) then [map (map Z.to_N) (new vs)] else [])
           (ways (choices m) (coordinates R ++ parameters R) (a ++ par)).

(** the sums of positions that the moves from position a lead to; a pass is a move only where there is another move *)
Definition sums (R : rules) (par a : list N) : list (list (list N)) :=
  let others := flat_map (leads R par a) (filter (fun m => negb (a_pass m)) (moves R)) in
  match others with [] => [] | _ => others ++ flat_map (leads R par a) (filter a_pass (moves R)) end.
(** the options of position a, for rules of which each move leads to one position *)
Definition options (R : rules) (par a : list N) : list (list N) := map (@concat N) (sums R par a).

(** [given]: a condition is true of the parameters [par]. [at_], [number_at]: a condition is true, and the value of an
    expression, at position a with these parameters. *)
Definition given (R : rules) (par : list N) (c : bexp) : Prop := test (parameters R) par c = true.
Definition at_ (R : rules) (par a : list N) (c : bexp) : Prop := test (coordinates R ++ parameters R) (a ++ par) c = true.
Definition number_at (R : rules) (par a : list N) (e : expr) : Z := den (coordinates R ++ parameters R) (a ++ par) e.
Definition parameter_values (R : rules) (par : list N) : Prop := length par = length (parameters R) /\ given R par (domain R).
Definition position (R : rules) (par a : list N) : Prop := length a = length (coordinates R) /\ at_ R par a (space R).

(** ** Formulas about options *)
Fixpoint choosing (cs : list choice) (ns : list string) (body : list string -> formula) : formula :=
  match cs with
  | [] => body ns
  | c :: cs => FEx (FAnd (FAnd (bounded ns 1 (low c)) (bounded ns (-1) (high c)))
                         (choosing cs (chosen c :: ns) body))
  end.

Lemma choosing_ok cs : forall ns vs body,
  holds (choosing cs ns body) vs <-> exists vs', In vs' (ways cs ns vs) /\ holds (body (after cs ns)) vs'.
Proof.
  induction cs as [|c cs IH]; intros ns vs body; cbn [choosing ways after].
  - split; [intros H; exists vs; cbn; auto|]. intros (vs' & [<-|[]] & H). exact H.
  - cbn [holds]. setoid_rewrite IH. setoid_rewrite in_flat_map. setoid_rewrite in_range.
    setoid_rewrite (fun v => bounded_ok ns vs 1 (low c) v). setoid_rewrite (fun v => bounded_ok ns vs (-1) (high c) v). split.
    + intros (v & H & vs' & I & G). exists vs'. split; [exists v; split; [lia|exact I]|exact G].
    + intros (vs' & (v & H & I) & G). exists v. split; [lia|]. eauto.
Qed.
Lemma ways_front cs : forall ns vs vs', In vs' (ways cs ns vs) -> exists ts, vs' = ts ++ vs /\ length ts = length cs.
Proof.
  induction cs as [|c cs IH]; cbn [ways length]; intros ns vs vs' H.
  - destruct H as [<-|[]]. now exists [].
  - apply in_flat_map in H as (v & _ & H). apply IH in H as (ts & -> & L). exists (ts ++ [v]).
    rewrite <- app_assoc, app_length. cbn. split; [reflexivity|lia].
Qed.
Lemma ways_more more cs : forall ns vs, length vs = length ns ->
  ways cs ns (vs ++ more) = map (fun l => l ++ more) (ways cs ns vs).
Proof.
  induction cs as [|c cs IH]; intros ns vs L; cbn [ways map]; [reflexivity|].
  rewrite !(proj1 (more_values more)) by assumption. induction (range _ _) as [|v l IHl]; [reflexivity|].
  cbn [flat_map]. rewrite map_app, <- IHl. f_equal. rewrite <- IH; [reflexivity|]. cbn. now f_equal.
Qed.
Lemma after_length cs : forall ns, length (after cs ns) = length cs + length ns.
Proof. induction cs as [|c cs IH]; intros ns; cbn; [reflexivity|]. rewrite IH. cbn. lia. Qed.
Lemma pick_seq pre l post n len : n = length pre -> len = length l -> pick (pre ++ l ++ post) (seq n len) = l.
Proof.
  intros -> ->. revert pre. induction l as [|x l IH]; intros pre; [reflexivity|]. cbn [length seq pick map]. f_equal.
  - unfold var. rewrite app_nth2 by lia. now rewrite Nat.sub_diag.
  - specialize (IH (pre ++ [x])). rewrite app_length in IH. cbn in IH. rewrite Nat.add_1_r, <- app_assoc in IH. exact IH.
Qed.

(** The formula that the automaton A accepts the values of the expressions [es], followed by the variables [extra]. k: the
    number of variables in front of those with names. done: the variables that stand for the expressions before [es]. *)
Fixpoint plug (A : aut) (ns : list string) (es : list expr) (k : nat) (done extra : list nat) : formula :=
  match es with
  | [] => FAut A (done ++ map (Nat.add k) extra)
  | e :: es =>
      match e, (match e with Var x => index x ns | _ => None end) with
      | _, Some i => plug A ns es k (done ++ [k + i]) extra
      | _, None => FEx (FAnd (fren (skip k) (graph ns e false)) (plug A ns es (S k) (map S done ++ [0]) extra))
      end
  end.

Lemma pick_app env x y : pick env (x ++ y) = pick env x ++ pick env y. Proof. apply map_app. Qed.
Lemma pick_front pre vs l : pick (pre ++ vs) (map (Nat.add (length pre)) l) = pick vs l.
Proof. unfold pick. rewrite map_map. apply map_ext. intros i. unfold var. rewrite app_nth2 by lia. f_equal. lia. Qed.
Lemma pick_skip v vs l : pick (v :: vs) (map S l) = pick vs l.
Proof. unfold pick. rewrite map_map. now apply map_ext. Qed.
Lemma plug_ok A ns vs es extra : forall pre done,
  holds (plug A ns es (length pre) done extra) (pre ++ vs) <->
  forallb (Z.leb 0) (map (den ns vs) es) = true /\
  lang A (init A) (pick (pre ++ vs) done ++ map Z.to_N (map (den ns vs) es) ++ pick vs extra) = true.
Proof.
  induction es as [|e es IH]; intros pre done; cbn [plug forallb map].
  - cbn [holds]. rewrite pick_app, pick_front. tauto.
  - destruct (match e with Var x => index x ns | _ => None end) as [i|] eqn:E.
    + destruct e; try discriminate. rewrite IH, pick_app, <- app_assoc. cbn [den app pick map]. unfold value. rewrite E.
      replace (var (pre ++ vs) (length pre + i)) with (var vs i) by (unfold var; rewrite app_nth2 by lia; f_equal; lia).
      rewrite N2Z.id. replace (0 <=? Z.of_N (var vs i))%Z with true by (symmetry; apply Z.leb_le; lia). reflexivity.
    + replace (match e with Var _ => _ | _ => _ end) with
        (FEx (FAnd (fren (skip (length pre)) (graph ns e false)) (plug A ns es (S (length pre)) (map S done ++ [0]) extra)))
        by (destruct e; try reflexivity).
      cbn [holds]. assert (G : forall v, holds (fren (skip (length pre)) (graph ns e false)) (v :: pre ++ vs) <-> den ns vs e = Z.of_N v).
      { intros v. rewrite (holds_fren _ _ _ (v :: vs) (skip_ok pre v vs)), (graph_ok ns vs e false v). unfold signed, sg, off. lia. }
      setoid_rewrite G. setoid_rewrite (fun v => IH (v :: pre) (map S done ++ [0])). rewrite andb_true_iff, Z.leb_le.
      assert (P : forall v, pick ((v :: pre) ++ vs) (map S done ++ [0]) = pick (pre ++ vs) done ++ [v]).
      { intros v. rewrite pick_app. cbn [app]. now rewrite pick_skip. }
      setoid_rewrite P. setoid_rewrite <- app_assoc. split.
      * intros (v & Hv & F & L). rewrite Hv, N2Z.id. split; [split; [lia|exact F]|exact L].
      * intros ((H & F) & L). exists (Z.to_N (den ns vs e)). rewrite Z2N.id by assumption. auto.
Qed.

Fixpoint ors (fs : list formula) : formula := match fs with [] => FLe [] 1 | [f] => f | f :: fs => FOr f (ors fs) end.
Lemma holds_ors vs fs : holds (ors fs) vs <-> exists f, In f fs /\ holds f vs.
Proof.
  induction fs as [|f [|g fs] IH].
  - cbn. split; [lia|now intros (? & [] & _)].
  - cbn. split; [eauto|]. now intros (? & [<-|[]] & H).
  - change (ors (f :: g :: fs)) with (FOr f (ors (g :: fs))). cbn [holds]. rewrite IH. cbn [In]. split.
    + intros [H|(h & I & H)]; eauto.
    + intros (h & [<-|I] & H); eauto.
Qed.

Section Rules.
  Variable R : rules.
  Let ns := coordinates R ++ parameters R.
  Let k := length (coordinates R).
  Let r := length (parameters R).
  Definition here : list nat := seq 0 (length (coordinates R ++ parameters R)).

  (** The formula that the move leads to a sum of positions that [A n] accepts, where n is the number of positions in the sum.
      The automaton reads their coordinates, the parameters, and e more numbers. *)
  Definition leading (A : nat -> aut) (e : nat) (m : move) : formula :=
    choosing (choices m) ns (fun ns => FAnd (cond ns (guard m))
      (plug (A (length (parts m))) ns (concat (map (fun cs => map (becomes cs) (coordinates R)) (parts m))) 0 []
        (seq (length (choices m) + k) (r + e)))).
  Variable par : list N.
  Hypothesis Hr : length par = r.

  Definition accepted (A : nat -> aut) (more : list N) (s : list (list N)) : Prop :=
    lang (A (length s)) (init (A (length s))) (concat s ++ par ++ more) = true.

  Lemma leading_ok A m a more : length a = k ->
    holds (leading A (length more) m) (a ++ par ++ more) <-> exists s, In s (leads R par a m) /\ accepted A more s.
  Proof.
    intros Ha. unfold leading, leads. fold ns. rewrite choosing_ok, app_assoc.
    assert (L : length (a ++ par) = length ns) by (unfold ns; rewrite !app_length; lia).
    rewrite ways_more by exact L. setoid_rewrite in_map_iff. setoid_rewrite in_flat_map.
    set (es := concat (map (fun cs => map (becomes cs) (coordinates R)) (parts m))). set (ns' := after (choices m) ns). set (Am := A (length (parts m))).
    set (new := fun vs => map (fun cs => map (fun x => den ns' vs (becomes cs x)) (coordinates R)) (parts m)).
    assert (N : forall vs, map (den ns' vs) es = concat (new vs)).
    { intros vs. unfold es, new. rewrite concat_map, map_map. f_equal. apply map_ext. intros cs. apply map_map. }
    assert (G : forall vs, In vs (ways (choices m) ns (a ++ par)) ->
      (holds (FAnd (cond ns' (guard m)) (plug Am ns' es 0 [] (seq (length (choices m) + k) (r + length more)))) (vs ++ more) <->
       (test ns' vs (guard m) && forallb (Z.leb 0) (concat (new vs))) = true /\ accepted A more (map (map Z.to_N) (new vs)))).
    { intros vs I. destruct (ways_front _ _ _ _ I) as (ts & -> & Lt).
      assert (L' : length (ts ++ a ++ par) = length ns') by (unfold ns'; rewrite after_length, app_length; lia).
      cbn [holds]. pose proof (plug_ok Am ns' ((ts ++ a ++ par) ++ more) es (seq (length (choices m) + k) (r + length more)) [] []) as P.
      cbn [length app] in P. rewrite P, cond_ok, (proj2 (more_values more)) by exact L'. clear P.
      replace (pick ((ts ++ a ++ par) ++ more) (seq (length (choices m) + k) (r + length more))) with (par ++ more).
      2: { symmetry. replace ((ts ++ a ++ par) ++ more) with ((ts ++ a) ++ (par ++ more) ++ []) by (rewrite app_nil_r, <- !app_assoc; reflexivity).
           apply pick_seq; rewrite app_length; lia. }
      rewrite (map_ext _ (den ns' (ts ++ a ++ par))) by (intros e; now apply (proj1 (more_values more))).
      assert (Ln : length (map (map Z.to_N) (new (ts ++ a ++ par))) = length (parts m)) by (unfold new; now rewrite !map_length).
      unfold accepted. rewrite Ln, N, andb_true_iff, concat_map. fold Am. cbn [pick map app]. tauto. }
    split.
    - intros (vs & (vs0 & <- & I) & H). apply (G _ I) in H as [H1 H2]. exists (map (map Z.to_N) (new vs0)).
      split; [|exact H2]. exists vs0. split; [exact I|]. fold (new vs0). rewrite H1. now left.
    - intros (b & (vs0 & I & Hb) & H). exists (vs0 ++ more). split; [now exists vs0|]. apply (G _ I). fold (new vs0) in Hb.
      destruct (test ns' vs0 (guard m) && _); [|destruct Hb]. destruct Hb as [<-|[]]. now split.
  Qed.

  (** [movable]: from the position there is a move that is no pass. [some_option]: some move leads to a sum that A accepts. Mv:
      an automaton for [movable]. *)
  Definition movable (Everything : aut) : formula :=
    ors (map (leading (fun _ => Everything) 0) (filter (fun m => negb (a_pass m)) (moves R))).
  Definition some_option (Mv : aut) (A : nat -> aut) (e : nat) : formula :=
    FOr (ors (map (leading A e) (filter (fun m => negb (a_pass m)) (moves R))))
        (FAnd (ors (map (leading A e) (filter a_pass (moves R)))) (FAut Mv here)).
  Definition is_movable (Mv : aut) : Prop :=
    forall a, length a = k -> (lang Mv (init Mv) (a ++ par) = true <-> sums R par a <> []).
  Lemma leading_some A a more ms : length a = k ->
    holds (ors (map (leading A (length more)) ms)) (a ++ par ++ more) <->
    exists s, In s (flat_map (leads R par a) ms) /\ accepted A more s.
  Proof.
    intros Ha. rewrite holds_ors. setoid_rewrite in_map_iff. setoid_rewrite in_flat_map. split.
    - intros (f & (m & <- & I) & H). apply leading_ok in H as (b & Hb & HA); eauto.
    - intros (b & (m & I & Hb) & HA). exists (leading A (length more) m). split; [eauto|]. apply leading_ok; eauto.
  Qed.
  Lemma pick_here a more : length a = k -> pick (a ++ par ++ more) here = a ++ par.
  Proof.
    intros Ha. rewrite app_assoc. apply (pick_seq [] (a ++ par) more); [reflexivity|]. rewrite !app_length. lia.
  Qed.
  Lemma some_option_ok Mv A a more : is_movable Mv -> length a = k ->
    holds (some_option Mv A (length more)) (a ++ par ++ more) <-> exists s, In s (sums R par a) /\ accepted A more s.
  Proof.
    intros HM Ha. unfold some_option. cbn [holds]. rewrite !leading_some, (pick_here a more Ha), (HM a Ha) by exact Ha. unfold sums.
    set (others := flat_map _ (filter (fun m => negb (a_pass m)) (moves R))). set (passes := flat_map _ _).
    destruct others as [|o os]; cbn [In app].
    - split; [intros [(? & [] & _)|(_ & n)]; now destruct n|now intros (? & [] & _)].
    - setoid_rewrite in_app_iff. split.
      + intros [(b & [Hb|Hb] & HA)|((b & Hb & HA) & _)]; eauto.
      + intros (b & [Hb|[Hb|Hb]] & HA); [left|left|right]; eauto. split; [eauto|discriminate].
  Qed.
End Rules.
