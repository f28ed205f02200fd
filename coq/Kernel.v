(** Automata that read the binary digits of natural numbers, the lowest digit first. A letter has one digit of each variable;
    a decision tree reads it. The meaning of a state is the set of tuples of numbers that it accepts. An automaton is right if
    its steps agree with the meanings of its states ([bisim]). The functions that find an automaton (exploration, numbering,
    minimisation) have no proofs: the automaton that they find is checked against the definition, state by state. A fault in
    them can only make the answer "no". *)
From Coq Require Import List Bool Arith NArith ZArith Lia FMapPositive.
Import ListNotations.
Module PM := PositiveMap.
Set Implicit Arguments.

(** ** Decision trees over the digits of the variables; the variables may come in any order *)
Inductive tree (A : Type) := Leaf (a : A) | Node (x : nat) (l r : tree A).
Arguments Leaf {A}. Arguments Node {A}.
Fixpoint eval {A} (t : tree A) (b : list bool) : A :=
  match t with Leaf a => a | Node x l r => if nth x b false then eval r b else eval l b end.
Fixpoint tmap {A B} (f : A -> B) (t : tree A) : tree B :=
  match t with Leaf a => Leaf (f a) | Node x l r => Node x (tmap f l) (tmap f r) end.

Fixpoint tapply {A B C} (f : A -> B -> C) (t : tree A) : tree B -> tree C :=
  match t with
  | Leaf a => tmap (f a)
  | Node x l r =>
      fix go (u : tree B) : tree C :=
        match u with
        | Leaf _ => Node x (tapply f l u) (tapply f r u)
        | Node y l' r' =>
            match Nat.compare x y with
            | Eq => Node x (tapply f l l') (tapply f r r')
            | Lt => Node x (tapply f l u) (tapply f r u)
            | Gt => Node y (go l') (go r')
            end
        end
  end.

Fixpoint tall (t : tree bool) : bool :=
  match t with Leaf a => a | Node _ l r => tall l && tall r end.

(** the tree after variable 0 has the digit [b]; the numbers of the other variables are less by one *)
Fixpoint restrict {A} (b : bool) (t : tree A) : tree A :=
  match t with
  | Leaf a => Leaf a
  | Node O l r => if b then restrict b r else restrict b l
  | Node (S x) l r => Node x (restrict b l) (restrict b r)
  end.
Definition ite {A} (x : nat) (l r : tree A) : tree A :=
  tapply (fun (s : bool) (p : A * A) => if s then snd p else fst p)
    (Node x (Leaf false) (Leaf true)) (tapply pair l r).
Fixpoint tren {A} (args : list nat) (t : tree A) : tree A :=
  match t with
  | Leaf a => Leaf a
  | Node x l r =>
      match nth_error args x with
      | Some y => ite y (tren args l) (tren args r)
      | None => tren args l
      end
  end.
Lemma eval_tmap A B (f : A -> B) t b : eval (tmap f t) b = f (eval t b).
Proof. induction t; cbn; auto. destruct (nth x b false); auto. Qed.
Lemma eval_tapply A B C (f : A -> B -> C) t u b : eval (tapply f t u) b = f (eval t b) (eval u b).
Proof.
  revert u. induction t as [a|x l IHl r IHr]; intros u.
  - apply eval_tmap.
  - induction u as [c|y l' IHl' r' IHr'].
    + cbn. rewrite IHl, IHr. now destruct (nth x b false).
    + cbn [tapply]. destruct (Nat.compare x y) eqn:E.
      * apply Nat.compare_eq in E. subst y. cbn. rewrite IHl, IHr. now destruct (nth x b false).
      * cbn [eval]. rewrite IHl, IHr. cbn [eval]. now destruct (nth x b false).
      * cbn [eval]. destruct (nth y b false); [exact IHr'|exact IHl'].
Qed.
Lemma tall_ok t b : tall t = true -> eval t b = true.
Proof. induction t; cbn; auto. intros [? ?]%andb_prop. destruct (nth x b false); auto. Qed.
Lemma eval_restrict A c (t : tree A) b : eval (restrict c t) b = eval t (c :: b).
Proof.
  induction t as [a|[|x] l IHl r IHr]; cbn; auto.
  - destruct c; auto.
  - now rewrite IHl, IHr.
Qed.
Lemma eval_ite A x (l r : tree A) b : eval (ite x l r) b = if nth x b false then eval r b else eval l b.
Proof. unfold ite. rewrite !eval_tapply. cbn. now destruct (nth x b false). Qed.
Lemma eval_tren A args (t : tree A) b :
  eval (tren args t) b = eval t (map (fun i => nth i b false) args).
Proof.
  induction t as [a|x l IHl r IHr]; cbn [tren eval]; auto.
  destruct (nth_error args x) as [y|] eqn:E.
  - rewrite eval_ite, IHl, IHr.
    assert (H : nth x (map (fun i => nth i b false) args) false = nth y b false).
    { apply nth_error_nth. now rewrite nth_error_map, E. }
    now rewrite H.
  - rewrite nth_overflow; auto. rewrite map_length. now apply nth_error_None.
Qed.
Lemma eval_zeros A (t : tree A) b c : (forall x, nth x b false = nth x c false) -> eval t b = eval t c.
Proof. intros H. induction t; cbn; auto. rewrite H, IHt1, IHt2. reflexivity. Qed.

(** ** Environments *)
Definition bits (env : list N) : list bool := map N.odd env.
Definition halves (env : list N) : list N := map N.div2 env.
Definition size (env : list N) : nat := fold_right (fun v n => max (N.size_nat v) n) 0 env.
Definition var (env : list N) (x : nat) : N := nth x env 0%N.
Definition pick (env : list N) (args : list nat) : list N := map (var env) args.
Lemma size_div2 v : N.size_nat (N.div2 v) = pred (N.size_nat v). Proof. now destruct v as [|[p|p|]]. Qed.
Lemma size_halves env : size (halves env) = pred (size env).
Proof.
  induction env as [|v env IH]; [reflexivity|]. cbn. fold (halves env) (size env) (size (halves env)).
  rewrite size_div2, IH. lia.
Qed.
Lemma size0 env : size env = 0 -> forall x, var env x = 0%N.
Proof.
  unfold var. induction env as [|v env IH]; intros H x; [now destruct x|].
  change (size (v :: env)) with (max (N.size_nat v) (size env)) in H. destruct x as [|x]; cbn [nth].
  - destruct v as [|[p|p|]]; cbn [N.size_nat Pos.size_nat] in H; lia || reflexivity.
  - apply IH. lia.
Qed.
Lemma nth_bits env x : nth x (bits env) false = N.odd (var env x).
Proof. unfold bits, var. now rewrite <- (map_nth N.odd). Qed.
Lemma var_halves env x : var (halves env) x = N.div2 (var env x).
Proof. unfold halves, var. now rewrite <- (map_nth N.div2). Qed.
Lemma bits0 env : size env = 0 -> forall x, nth x (bits env) false = nth x [] false.
Proof. intros H x. rewrite nth_bits, size0 by assumption. now destruct x. Qed.

(** ** Automata *)
Definition cell := (tree positive * bool)%type.
Record aut := Aut { init : positive; table : PM.t cell }.
Definition delta A q : tree positive := match PM.find q (table A) with Some (t, _) => t | None => Leaf q end.
Definition acc A q : bool := match PM.find q (table A) with Some (_, a) => a | None => false end.
Fixpoint langn (n : nat) A q env : bool :=
  match n with
  | O => acc A q
  | S n => langn n A (eval (delta A q) (bits env)) (halves env)
  end.
Definition lang A q env := langn (size env) A q env.

(** leading zeros, which are read last, do not change whether A accepts *)
Definition wf A := forall q, acc A q = acc A (eval (delta A q) []).
Definition wfb A : bool :=
  forallb (fun ic : positive * cell => Bool.eqb (snd (snd ic)) (acc A (eval (fst (snd ic)) []))) (PM.elements (table A)).
Lemma wfb_ok A : wfb A = true -> wf A.
Proof.
  unfold wfb. rewrite forallb_forall. intros H q. unfold delta. unfold acc at 1.
  destruct (PM.find q (table A)) as [[t a]|] eqn:E.
  - apply PM.elements_correct in E. apply H in E. now apply eqb_prop in E.
  - cbn. unfold acc. now rewrite E.
Qed.
Lemma lang_zero A q env : size env = 0 -> lang A q env = acc A q. Proof. unfold lang. now intros ->. Qed.
Lemma lang_step A q env : wf A -> lang A q env = lang A (eval (delta A q) (bits env)) (halves env).
Proof.
  intros W. unfold lang. rewrite size_halves. destruct (size env) as [|n] eqn:E; [|reflexivity].
  cbn. rewrite W. f_equal. apply eval_zeros. intros x. now rewrite bits0.
Qed.

(** ** Meanings of states, and the main lemma: if states correspond ([bisim]), the automaton accepts what they mean *)
Record abs := Abs {
  St : Type; ainit : St; astep : St -> tree St; aacc : St -> bool;
  akey : St -> positive;               (* untrusted: for the hash table only *)
  aeqb : St -> St -> bool;
  aeqb_ok : forall s t, aeqb s t = true -> s = t }.
Definition meaning (X : abs) (M : St X -> list N -> Prop) : Prop :=
  (forall s env, size env = 0 -> (M s env <-> aacc X s = true)) /\
  (forall s env, M s env <-> M (eval (astep X s) (bits env)) (halves env)).

Lemma bisim X (M : St X -> list N -> Prop) B (R : St X -> positive -> Prop) :
  meaning X M ->
  (forall s c, R s c -> aacc X s = acc B c /\ forall b, R (eval (astep X s) b) (eval (delta B c) b)) ->
  forall env s c, R s c -> (lang B c env = true <-> M s env).
Proof.
  intros [M0 M1] H. unfold lang.
  assert (G : forall n env, size env <= n -> forall s c, R s c -> (langn n B c env = true <-> M s env)).
  { induction n as [|n IH]; intros env L s c HR; cbn; destruct (H _ _ HR) as [Ha Hs].
    - rewrite M0 by lia. now rewrite Ha.
    - rewrite M1. apply IH; auto. rewrite size_halves. lia. }
  intros env s c HR. now apply G.
Qed.

(** ** Construction by exploration: unverified *)
Fixpoint loop {S} (f : S -> option S) (n : nat) (s : S) : S + S :=
  match n with
  | O => match f s with None => inl s | Some s' => inr s' end
  | S n => match loop f n s with inl s' => inl s' | inr s' => loop f n s' end
  end.
Definition run {S} (f : S -> option S) (s : S) : S := match loop f 40 s with inl s => s | inr s => s end.
Fixpoint serp (p k : positive) : positive :=
  match p with xH => xI k | xO p => xO (xO (serp p k)) | xI p => xO (xI (serp p k)) end.
Fixpoint ser (t : tree positive) (k : positive) : positive :=
  match t with
  | Leaf p => xI (serp p k)
  | Node x l r => xO (serp (Pos.of_succ_nat x) (ser l (ser r k)))
  end.
Definition serl (l : list positive) : positive := fold_right serp xH l.
Fixpoint teqb (t u : tree positive) : bool :=
  match t, u with
  | Leaf a, Leaf b => Pos.eqb a b
  | Node x l r, Node y l' r' => Nat.eqb x y && teqb l l' && teqb r r'
  | _, _ => false
  end.
Definition mk x (l r : tree positive) := if teqb l r then l else Node x l r.

(** a state with the tree of the states it leads to, which is computed once; [it_ok] says that the tree is right *)
Record item (X : abs) := Item { it_s : St X; it_next : tree (St X); it_ok : it_next = astep X it_s }.
Record est (X : abs) := Est {
  nxt : positive; keys : PM.t positive; labels : PM.t (item X); todo : list (positive * St X); made : PM.t cell }.
Definition intern (X : abs) (s : St X) (e : est X) : positive * est X :=
  let k := akey X s in
  match PM.find k (keys e) with
  | Some i => (i, e)
  | None =>
      let i := nxt e in
      (i, @Est X (Pos.succ i) (PM.add k i (keys e)) (labels e) ((i, s) :: todo e) (made e))
  end.
Fixpoint number (X : abs) (t : tree (St X)) (e : est X) : tree positive * est X :=
  match t with
  | Leaf s => let (i, e) := intern s e in (Leaf i, e)
  | Node x l r =>
      let (l, e) := number l e in
      let (r, e) := number r e in (mk x l r, e)
  end.
Definition explore1 (X : abs) (e : est X) : option (est X) :=
  match todo e with
  | [] => None
  | (i, s) :: rest =>
      let it := @Item X s _ eq_refl in
      let (t, e) := number (it_next it) (@Est X (nxt e) (keys e) (PM.add i it (labels e)) rest (made e)) in
      Some (@Est X (nxt e) (keys e) (labels e) (todo e) (PM.add i (t, aacc X s) (made e)))
  end.
Definition explore (X : abs) : PM.t (item X) * aut :=
  let (i, e) := intern (ainit X) (@Est X xH (PM.empty _) (PM.empty _) [] (PM.empty _)) in
  let e := run (explore1 (X:=X)) e in
  (labels e, Aut i (made e)).

(** ** Minimisation (Moore): unverified *)
Definition look (h : PM.t positive) (i : positive) : positive := match PM.find i h with Some c => c | None => i end.
Fixpoint ntmap (h : PM.t positive) (t : tree positive) : tree positive :=
  match t with Leaf i => Leaf (look h i) | Node x l r => mk x (ntmap h l) (ntmap h r) end.

Definition refine (els : list (positive * cell)) (h : PM.t positive) : positive * PM.t positive :=
  let '(n, _, h') :=
    fold_left (fun (st : positive * PM.t positive * PM.t positive) (ic : positive * cell) =>
      let '(n, ks, h') := st in
      let '(i, (t, _)) := ic in
      let k := serp (look h i) (ser (ntmap h t) xH) in
      match PM.find k ks with
      | Some c => (n, ks, PM.add i c h')
      | None => (Pos.succ n, PM.add k n ks, PM.add i n h')
      end) els (xH, PM.empty _, PM.empty _) in (n, h').

Definition minimise (A : aut) : PM.t positive * aut :=
  let els := PM.elements (table A) in
  let h0 := PM.map (fun c : cell => if snd c then 2%positive else 1%positive) (table A) in
  let '(_, h) :=
    run (fun st : positive * PM.t positive =>
      let (n, h) := st in
      let (n', h') := refine els h in
      if Pos.eqb n n' then None else Some (n', h')) (xH, h0) in
  (h, Aut (look h (init A))
        (fold_left (fun T (ic : positive * cell) =>
           let '(i, (t, a)) := ic in
           let c := look h i in
           if PM.mem c T then T else PM.add c (ntmap h t, a) T) els (PM.empty _))).

(** the automaton A with its trees changed by [tr], to read other variables, and with its acceptance changed by [op] *)
Definition image (tr : tree positive -> tree positive) (op : bool -> bool) (A : aut) : abs :=
  @Abs positive (init A) (fun q => tr (delta A q)) (fun q => op (acc A q)) (fun q => q) Pos.eqb (fun s t => proj1 (Pos.eqb_eq s t)).
Lemma image_meaning tr op A (m : list N -> list N) : wf A -> (forall env, size env = 0 -> size (m env) = 0) ->
  (forall t env, eval (tr t) (bits env) = eval t (bits (m env))) -> (forall env, halves (m env) = m (halves env)) ->
  meaning (image tr op A) (fun q env => op (lang A q (m env)) = true).
Proof.
  intros W H0 Ht Hh. split; cbn; intros s env.
  - intros H. now rewrite lang_zero by auto.
  - now rewrite (lang_step s _ W), Ht, Hh.
Qed.
(** ** The check: the minimised automaton B does what the definition X says. L: the explored states of X, by their numbers in
    the explored automaton A. h: the state of B for each state of A. *)
Definition checked (X : abs) (L : PM.t (item X)) (A : aut) (h : PM.t positive) (B : aut) : bool :=
  forallb (fun is : positive * item X =>
    let (i, it) := is in
    match PM.find i h with
    | Some c => Bool.eqb (aacc X (it_s it)) (acc B c) &&
        tall (tapply (fun (jd : positive * positive) s' => match PM.find (fst jd) L, PM.find (fst jd) h with
                | Some it', Some c' => aeqb X (it_s it') s' && Pos.eqb c' (snd jd) | _, _ => false end)
              (tapply pair (delta A i) (delta B c)) (it_next it))
    | None => false
    end) (PM.elements L).
Definition finish (X : abs) : option aut :=
  let (L, A) := explore X in
  let (h, B) := minimise A in
  if checked L A h B && wfb B && match PM.find (init A) L, PM.find (init A) h with
      | Some it, Some c => aeqb X (it_s it) (ainit X) && Pos.eqb c (init B) | _, _ => false end
  then Some B else None.
Definition means A (P : list N -> Prop) := wf A /\ forall env, lang A (init A) env = true <-> P env.

Lemma finish_ok X M B : meaning X M -> finish X = Some B -> means B (M (ainit X)).
Proof.
  unfold finish. intros HM. destruct (explore X) as [L A]. destruct (minimise A) as [h B0].
  destruct (checked L A h B0 && wfb B0 && _) eqn:E; intros [= <-]. apply andb_prop in E as [[HC W]%andb_prop E]. apply wfb_ok in W.
  destruct (PM.find (init A) L) as [it|] eqn:EL; [|discriminate]. destruct (PM.find (init A) h) as [c|] eqn:Eh; [|discriminate].
  apply andb_prop in E as [E1%aeqb_ok E2%Pos.eqb_eq]. split; [exact W|]. intros env. rewrite <- E1, <- E2.
  unfold checked in HC. rewrite forallb_forall in HC.
  apply (@bisim X M B0 (fun s c => exists i it, PM.find i L = Some it /\ it_s it = s /\ PM.find i h = Some c) HM); [|now exists (init A), it].
  clear - HC. intros s c (i & it & E & <- & Eh). apply PM.elements_correct, HC in E. rewrite Eh in E. apply andb_prop in E as [E1 E2].
  split; [now apply eqb_prop in E1|]. intros b. apply tall_ok with (b := b) in E2. rewrite !eval_tapply in E2. cbn [fst snd] in E2.
  destruct (PM.find (eval (delta A i) b) L) as [it'|] eqn:E'; [|discriminate]. destruct (PM.find _ h) as [c'|] eqn:Ec; [|discriminate].
  apply andb_prop in E2 as [E2%aeqb_ok E3%Pos.eqb_eq]. exists (eval (delta A i) b), it'.
  split; [exact E'|]. split; [rewrite <- (it_ok it); exact E2|now rewrite Ec, E3].
Qed.
