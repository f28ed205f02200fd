(** The language of rulesets and formulas: its trees, their meaning ([den], [test]), and the translation of a condition into a
    formula about natural numbers ([cond]), which is proved right ([cond_ok]). Numbers are integers, as in the formula
    language; a variable stands for a natural number. *)
From Coq Require Import String List Bool Arith NArith ZArith Lia.
From Grundylab Require Import Kernel Decide.
Import ListNotations.
Local Open Scope Z_scope.
Local Open Scope list_scope.

Inductive digitwise := And | Or | Xor.
Inductive expr :=
| Var (x : string) | Num (z : Z) | Add (a b : expr) | Mul (z : Z) (a : expr)
| Div (a : expr) (d : positive) | Mod (a : expr) (d : positive)
| Digits (o : digitwise) (a b : expr) | Top (a : expr)
| If (c : bexp) (a b : expr)
with bexp :=
| Truth (b : bool) | Leq (a b : expr) | Equal (a b : expr) | Not (c : bexp) | Both (c d : bexp) | Either (c d : bexp)
| Any (x : string) (low high : expr) (c : bexp)      (* c is true for some natural number x from low to high *)
| Accepts (A : aut) (xs : list string).                (* the automaton accepts the binary digits of these variables *)

(** ** Meaning. The names [ns] have the values [vs], in the same order; any other name has the value 0. *)
Fixpoint index (x : string) (ns : list string) : option nat :=
  match ns with [] => None | y :: ns => if String.eqb x y then Some 0%nat else option_map S (index x ns) end.
Definition value ns vs x : N := match index x ns with Some i => var vs i | None => 0%N end.
Fixpoint known (xs ns : list string) : option (list nat) :=
  match xs with
  | [] => Some []
  | x :: xs => match index x ns, known xs ns with Some i, Some l => Some (i :: l) | _, _ => None end
  end.

(** the natural numbers from low to high *)
Definition range (low high : Z) : list N :=
  map (fun i => (Z.to_N low + N.of_nat i)%N) (seq 0 (Z.to_nat (high + 1 - Z.max 0 low))).
Definition by_digits (o : digitwise) : Z -> Z -> Z := match o with And => Z.land | Or => Z.lor | Xor => Z.lxor end.

Fixpoint den (ns : list string) (vs : list N) (e : expr) : Z :=
  match e with
  | Var x => Z.of_N (value ns vs x)
  | Num z => z
  | Add a b => den ns vs a + den ns vs b
  | Mul z a => z * den ns vs a
  | Div a d => den ns vs a / Zpos d            (* the quotient, rounded down *)
  | Mod a d => den ns vs a mod Zpos d          (* the remainder, from 0 to d - 1 *)
  | Digits o a b => by_digits o (den ns vs a) (den ns vs b)
  | Top a => 2 ^ Z.log2 (den ns vs a)          (* the highest power of two that is at most the value of a; 1 if there is none *)
  | If c a b => if test ns vs c then den ns vs a else den ns vs b
  end
with test (ns : list string) (vs : list N) (c : bexp) : bool :=
  match c with
  | Truth b => b
  | Leq a b => den ns vs a <=? den ns vs b
  | Equal a b => den ns vs a =? den ns vs b
  | Not c => negb (test ns vs c)
  | Both c d => test ns vs c && test ns vs d
  | Either c d => test ns vs c || test ns vs d
  | Any x low high c => existsb (fun v => test (x :: ns) (v :: vs) c) (range (den ns vs low) (den ns vs high))
  | Accepts A xs => match known xs ns with Some places => lang A (init A) (pick vs places) | None => false end
  end.

(** ** Abbreviations and notations for trees *)
Definition Sub a b := Add a (Mul (-1) b).
Definition Neg a := Mul (-1) a.
Definition Less a b := Leq (Add a (Num 1)) b.
Definition Min a b := If (Leq a b) a b.
Definition Max a b := If (Leq a b) b a.
Definition Abs a := Max a (Neg a).
Definition PowerOfTwo a := Both (Leq (Num 1) a) (Equal (Top a) a).
Definition All x low high c := Not (Any x low high (Not c)).
Definition Cases c a b := Either (Both c a) (Both (Not c) b).

(** The automaton of a table. It has a row for each state, from state 1 on: the state that follows by each of the 2^n symbols,
    and whether the state accepts. A symbol has a digit of each of n numbers; the digit of the first number is the highest. *)
Fixpoint by_symbol (n x : nat) (row : list positive) : tree positive :=
  match n with
  | O => Leaf (hd 1%positive row)
  | S n => Node x (by_symbol n (S x) (firstn (2 ^ n) row)) (by_symbol n (S x) (skipn (2 ^ n) row))
  end.
Definition automaton (n : nat) (rows : list (list positive * bool)) : aut :=
  Aut 1 (snd (fold_left (fun (st : positive * PM.t cell) (row : list positive * bool) =>
    let (q, T) := st in (Pos.succ q, PM.add q (by_symbol n 0 (fst row), snd row) T)) rows (1%positive, PM.empty _))).

Declare Scope rules_scope.
Delimit Scope rules_scope with rules.
Bind Scope rules_scope with expr bexp.
Coercion Var : string >-> expr.
Coercion Num : Z >-> expr.
Coercion Truth : bool >-> bexp.
Infix "+" := Add : rules_scope.
Infix "-" := Sub : rules_scope.
Notation "- a" := (Neg a) : rules_scope.
Notation "z * a" := (Mul z%Z a) : rules_scope.
Notation "a / d" := (Div a d%positive) : rules_scope.
Notation "a 'mod' d" := (Mod a d%positive) : rules_scope.
Infix "^" := (Digits Xor) : rules_scope.
Infix "<=" := Leq : rules_scope.
Infix "<" := Less : rules_scope.
Infix "==" := Equal (at level 70, no associativity) : rules_scope.
Notation "~ c" := (Not c) : rules_scope.
Infix "&&" := Both : rules_scope.
Infix "||" := Either : rules_scope.

(** ** Renaming the variables of a formula *)
Definition lift (r : nat -> nat) (x : nat) : nat := match x with O => O | S x => S (r x) end.
Fixpoint trename (r : nat -> nat) (t : tree bool) : tree bool :=
  match t with Leaf a => Leaf a | Node x l m => Node (r x) (trename r l) (trename r m) end.
Fixpoint fren (r : nat -> nat) (f : formula) : formula :=
  let lin cs := map (fun xa : nat * Z => (r (fst xa), snd xa)) cs in
  match f with
  | FLe cs c => FLe (lin cs) c
  | FEq cs c => FEq (lin cs) c
  | FDigits t => FDigits (trename r t)
  | FNot f => FNot (fren r f)
  | FOp o f g => FOp o (fren r f) (fren r g)
  | FEx f => FEx (fren (lift r) f)
  | FAut A args => FAut A (map r args)
  end.

Lemma lift_ok r env env' v : (forall x, var env (r x) = var env' x) ->
  forall x, var (v :: env) (lift r x) = var (v :: env') x.
Proof. intros H [|x]; [reflexivity|]. apply H. Qed.
Lemma holds_fren f : forall r env env', (forall x, var env (r x) = var env' x) -> (holds (fren r f) env <-> holds f env').
Proof.
  assert (L : forall cs r env env', (forall x, var env (r x) = var env' x) ->
    lin (map (fun xa : nat * Z => (r (fst xa), snd xa)) cs) env = lin cs env').
  { intros cs r env env' H. induction cs as [|[x a] cs IH]; [reflexivity|]. unfold lin in *. cbn. now rewrite IH, H. }
  induction f; intros r env env' H; cbn [fren holds].
  - now rewrite (L _ _ _ _ H).
  - now rewrite (L _ _ _ _ H).
  - assert (E : forall i, eval (trename r t) (digits_at env i) = eval t (digits_at env' i)).
    { intros i. induction t as [|x l IHl m IHm]; cbn; auto. now rewrite IHl, IHm, !nth_digits, H. }
    now setoid_rewrite E.
  - now rewrite (IHf _ _ _ H).
  - destruct o; now rewrite (IHf1 _ _ _ H), (IHf2 _ _ _ H).
  - split; intros [v G]; exists v; revert G; now apply IHf, lift_ok.
  - replace (pick env (map r args)) with (pick env' args); [reflexivity|]. unfold pick. rewrite map_map. now apply map_ext.
Qed.

(** sums of variables, sorted by variable *)
Lemma lin_cons i a x env : lin ((i, a) :: x) env = a * Z.of_N (var env i) + lin x env. Proof. reflexivity. Qed.
Fixpoint put (i : nat) (a : Z) (cs : list (nat * Z)) : list (nat * Z) :=
  match cs with
  | [] => [(i, a)]
  | (j, b) :: cs' =>
      match Nat.compare i j with Eq => (i, a + b) :: cs' | Lt => (i, a) :: cs | Gt => (j, b) :: put i a cs' end
  end.
Lemma lin_put i a cs env : lin (put i a cs) env = a * Z.of_N (var env i) + lin cs env.
Proof.
  induction cs as [|[j b] cs IH]; [reflexivity|]. cbn [put]. destruct (Nat.compare_spec i j) as [->|L|L]; rewrite !lin_cons; lia.
Qed.
Definition scale (z : Z) (cs : list (nat * Z)) := map (fun xa => (fst xa, z * snd xa)) cs.
Lemma lin_scale z cs env : lin (scale z cs) env = z * lin cs env.
Proof. induction cs as [|[i a] cs IH]; [cbn; lia|]. cbn [scale map fst snd]. rewrite !lin_cons. fold (scale z cs). rewrite IH. lia. Qed.
Definition up (cs : list (nat * Z)) := map (fun xa : nat * Z => (S (fst xa), snd xa)) cs.
Lemma lin_up cs v env : lin (up cs) (v :: env) = lin cs env.
Proof. induction cs as [|[i a] cs IH]; [reflexivity|]. cbn [up map fst snd]. rewrite !lin_cons. fold (up cs). now rewrite IH. Qed.

(** an integer as a sign n and a natural number v, as in two's complement: v if n is false, and -1 - v if n is true *)
Definition sg (n : bool) : Z := if n then -1 else 1.
Definition off (n : bool) : Z := if n then -1 else 0.
Definition signed (n : bool) (v : N) : Z := sg n * Z.of_N v + off n.

(** whether the form of the expression shows that its value is never negative *)
Fixpoint nonneg (e : expr) : bool :=
  match e with
  | Var _ | Mod _ _ | Top _ => true
  | Num z => 0 <=? z
  | Add a b | If _ a b => nonneg a && nonneg b
  | Mul z a => (0 <=? z) && nonneg a
  | Div a _ => nonneg a
  | Digits And a b => nonneg a || nonneg b
  | Digits _ a b => nonneg a && nonneg b
  end.
Lemma nonneg_ok ns vs e : nonneg e = true -> 0 <= den ns vs e.
Proof.
  induction e; cbn -[Z.mul Z.min Z.max]; rewrite ?andb_true_iff, ?orb_true_iff, ?Z.leb_le; intros H; try lia.
  - destruct H as [H1 H2]. apply IHe1 in H1. apply IHe2 in H2. lia.
  - destruct H as [H1 H2]. apply IHe in H2. nia.
  - apply Z.div_pos; [auto|lia].
  - now apply Z.mod_pos_bound.
  - destruct o; cbn; rewrite ?andb_true_iff, ?orb_true_iff in H.
    + apply Z.land_nonneg. tauto.
    + apply Z.lor_nonneg. tauto.
    + apply Z.lxor_nonneg. tauto.
  - destruct H as [H1 H2]. destruct (test ns vs c); auto.
Qed.

Definition may (e : expr) (n : bool) := nonneg e = true -> n = false.
Lemma has_sign ns vs e : exists n v, may e n /\ den ns vs e = signed n v.
Proof.
  set (z := den ns vs e). exists (z <? 0), (Z.to_N (if z <? 0 then -1 - z else z)). split.
  - intros H. apply (nonneg_ok ns vs) in H. fold z in H. lia.
  - unfold signed, sg, off. destruct (Z.ltb_spec z 0); lia.
Qed.
Definition skip (k x : nat) : nat := match x with O => O | S x => (S k + x)%nat end.
Lemma skip_ok pre v vs : forall x, var (v :: pre ++ vs) (skip (length pre) x) = var (v :: vs) x.
Proof. intros [|x]; [reflexivity|]. unfold var. cbn [skip nth Nat.add]. rewrite app_nth2 by lia. f_equal. lia. Qed.

(** The formula that [body n] is true, where n is the sign of the expression e, and variable 0 is its natural number v. [g n]:
    the formula that variable 0 is v, for the sign n. k: the number of variables in front of those that have names. *)
Definition let_in (k : nat) (e : expr) (g body : bool -> formula) : formula :=
  let one n := FEx (FAnd (fren (skip k) (g n)) (body n)) in
  if nonneg e then one false else FOr (one false) (one true).
Definition Graph ns vs e (g : bool -> formula) := forall n v, holds (g n) (v :: vs) <-> den ns vs e = signed n v.

(** [let_in] is right: an expression has exactly one sign and number, and its body is a statement about these. *)
Lemma let_in_ok ns vs e g body pre (Q : Prop) : Graph ns vs e g ->
  (forall n v, may e n -> den ns vs e = signed n v -> (holds (body n) (v :: pre ++ vs) <-> Q)) ->
  holds (let_in (length pre) e g body) (pre ++ vs) <-> Q.
Proof.
  intros HG H. unfold let_in.
  assert (E : forall n v, holds (fren (skip (length pre)) (g n)) (v :: pre ++ vs) <-> den ns vs e = signed n v).
  { intros n v. rewrite <- (HG n v). apply holds_fren, skip_ok. }
  destruct (has_sign ns vs e) as (n & v & M & D). unfold may in *. destruct (nonneg e); cbn [holds]; setoid_rewrite E; split.
  - intros (w & G & B). now apply (H false w) in B.
  - intros q. rewrite (M eq_refl) in D. exists v. split; [exact D|]. now apply (H false v).
  - intros [(w & G & B)|(w & G & B)]; [apply (H false w) in B|apply (H true w) in B]; easy.
  - intros q. destruct n; [right|left]; exists v; (split; [exact D|]); now apply H.
Qed.

(** The formula that variable 2, with sign n, is the result of the operation, place by place, on variables 1 (a) and 0 (b). *)
Definition digit (o : digitwise) : bool -> bool -> bool := match o with And => andb | Or => orb | Xor => xorb end.
Definition by_places (o : digitwise) (n na nb : bool) : formula :=
  let result x y := if xorb n (digit o (xorb na x) (xorb nb y))
    then Node 2 (Leaf false) (Leaf true) else Node 2 (Leaf true) (Leaf false) in
  FDigits (Node 0 (Node 1 (result false false) (result true false)) (Node 1 (result false true) (result true true))).

(** The formula that variable 1 is the highest power of two that is at most variable 0. It uses that a power of two, and no
    other positive number, has no digit in common with its predecessor. *)
Definition is_top : formula := FAnd (FAnd (FLe [(0%nat, -1); (1%nat, 1)] 0) (FLe [(0%nat, 1); (1%nat, -2)] 1))
  (FEx (FAnd (FEq [(0%nat, 1); (2%nat, -1)] 1) (FDigits (Node 0 (Leaf true) (Node 2 (Leaf true) (Leaf false)))))).
Lemma is_top_ok p a vs : holds is_top (a :: p :: vs) <-> (1 <= a /\ p = 2 ^ N.log2 a)%N.
Proof.
  assert (D : forall q, holds (FDigits (Node 0 (Leaf true) (Node 2 (Leaf true) (Leaf false)))) (q :: a :: p :: vs) <-> N.land q p = 0%N).
  { intros q. cbn. rewrite <- N.bits_inj_iff. split; intros H i; specialize (H i); rewrite N.land_spec, ?N.bits_0 in *;
      destruct (N.testbit q i), (N.testbit p i); easy. }
  unfold is_top. cbn [holds]. setoid_rewrite D. unfold lin, var. cbn [fold_right fst snd nth]. split.
  - intros [[L1 L2] (q & E & H)]. assert (q = N.pred p /\ p <> 0 /\ a <> 0)%N as (-> & z & z') by lia. clear E. split; [lia|].
    set (k := N.log2 p). destruct (N.log2_spec p ltac:(lia)) as [B1 B2]. fold k in B1, B2.
    assert (p = 2 ^ k)%N as E.
    { destruct (N.eq_dec p (2 ^ k)) as [|n]; [assumption|exfalso].
      assert (E : N.log2 (N.pred p) = k) by (apply N.log2_unique; lia).
      pose proof (N.pow_nonzero 2 k ltac:(lia)). pose proof (N.bit_log2 (N.pred p) ltac:(lia)) as T. rewrite E in T.
      pose proof (N.bit_log2 p z) as T'. apply (f_equal (fun m => N.testbit m k)) in H. rewrite N.land_spec, N.bits_0 in H.
      fold k in T'. now rewrite T, T' in H. }
    rewrite E at 1. f_equal. symmetry. apply N.log2_unique; [lia|]. rewrite N.pow_succ_r' in *. lia.
  - intros [L ->]. destruct (N.log2_spec a ltac:(lia)) as [B1 B2]. rewrite N.pow_succ_r' in B2. split; [lia|].
    exists (N.pred (2 ^ N.log2 a)). split; [lia|]. rewrite N.land_comm, <- N.ones_equiv, N.land_ones. now apply N.mod_same, N.pow_nonzero.
Qed.

(** The formula that [body] makes of a linear sum: of the variables [cs], the number [c], and z times the value of e. Each part
    of e that is no sum becomes a variable of its own. k: the number of variables in front of those that have names. *)
Fixpoint sum (ns : list string) (e : expr) (z : Z) (k : nat) (cs : list (nat * Z)) (c : Z)
  (body : nat -> list (nat * Z) -> Z -> formula) : formula :=
  let atom g := let_in k e g (fun n => body (S k) ((0%nat, z * sg n) :: up cs) (c + z * off n)) in
  let graph e n := sum ns e 1 1 [] 0 (fun k cs c => FEq (put (pred k) (- sg n) cs) (c - off n)) in
  match e with
  | Var x => body k (match index x ns with Some i => put (k + i) z cs | None => cs end) c
  | Num m => body k cs (c + z * m)
  | Add a b => sum ns a z k cs c (fun k cs c => sum ns b z k cs c body)
  | Mul y a => sum ns a (z * y) k cs c body
  | Div a d => atom (fun n => sum ns a 1 1 [] 0 (fun k cs c =>            (* says: a - d * quotient is from 0 to d - 1 *)
      let cs := put (pred k) (- Zpos d * sg n) cs in let c := c - Zpos d * off n in
      FAnd (FLe (scale (-1) cs) (- c)) (FLe cs (c + 1 - Zpos d))))
  | Mod a d => atom (fun n => if n then FLe [] 1 else FAnd (FLe [(0%nat, 1)] (1 - Zpos d)) (sum ns a 1 1 [] 0 (fun k cs c =>
      let quotient s := FEx (FEq ((0%nat, - Zpos d * sg s) :: up (put (pred k) (-1) cs)) (c - Zpos d * off s)) in
      if nonneg a then quotient false else FOr (quotient false) (quotient true))))
  | Digits o a b => atom (fun n => let_in 1 a (graph a) (fun na => let_in 2 b (graph b) (by_places o n na)))
  | Top a => atom (fun n => let_in 1 a (graph a) (fun na =>
      if n then FLe [] 1 else if na then FEq [(1%nat, 1)] (-1) else
      FOr (FAnd (FEq [(0%nat, 1)] 0) (FEq [(1%nat, 1)] (-1))) is_top))
  | If t a b => atom (fun n => let f := fren S (cond ns t) in FOr (FAnd f (graph a n)) (FAnd (FNot f) (graph b n)))
  end
with cond (ns : list string) (c : bexp) : formula :=
  match c with
  | Truth b => FLe [] (if b then 0 else 1)
  | Leq a b => sum ns a 1 0 [] 0 (fun k cs c => sum ns b (-1) k cs c (fun _ cs c => FLe cs c))
  | Equal a b => sum ns a 1 0 [] 0 (fun k cs c => sum ns b (-1) k cs c (fun _ cs c => FEq cs c))
  | Not c => FNot (cond ns c)
  | Both c d => FAnd (cond ns c) (cond ns d)
  | Either c d => FOr (cond ns c) (cond ns d)
  | Any x low high c =>
      FEx (FAnd (FAnd (sum ns low 1 1 [] 0 (fun k cs c => FLe (put (pred k) (-1) cs) c))
                      (sum ns high (-1) 1 [] 0 (fun k cs c => FLe (put (pred k) 1 cs) c))) (cond (x :: ns) c))
  | Accepts A xs => match known xs ns with Some places => FAut A places | None => FLe [] 1 end
  end.

(** [graph]: variable 0, in front of those with names, is the natural number of e with the sign n. [bounded]: variable 0 is at
    least e (d = 1), or at most e (d = -1). *)
Definition graph ns e n := sum ns e 1 1 [] 0 (fun k cs c => FEq (put (pred k) (- sg n) cs) (c - off n)).
Definition bounded ns d e := sum ns e d 1 [] 0 (fun k cs c => FLe (put (pred k) (- d) cs) c).

(** ** The translation is right *)
Ltac lins := unfold lin; cbn [fold_right fst snd]; unfold var; cbn [nth app].

Definition Sum ns vs e : Prop := forall z pre cs c body (Q : Prop),
  (forall more cs' c', lin cs' (more ++ pre ++ vs) + c' = lin cs (pre ++ vs) + c + z * den ns vs e ->
     (holds (body (length (more ++ pre)) cs' c') (more ++ pre ++ vs) <-> Q)) ->
  (holds (sum ns e z (length pre) cs c body) (pre ++ vs) <-> Q).

(** the same with a single variable, of value v, in front *)
Lemma sum_front ns vs e z body v (Q : Prop) : Sum ns vs e ->
  (forall env k cs c, var env (pred k) = v -> lin cs env + c = z * den ns vs e -> (holds (body k cs c) env <-> Q)) ->
  (holds (sum ns e z 1 [] 0 body) (v :: vs) <-> Q).
Proof.
  intros HS H. apply (HS z [v] [] 0 body Q). intros more cs c E. apply H; [|rewrite E; cbn; lia].
  unfold var. rewrite app_length, Nat.add_1_r. cbn [pred]. rewrite app_nth2 by lia. now rewrite Nat.sub_diag.
Qed.
Lemma sum_graph ns vs e : Sum ns vs e -> Graph ns vs e (graph ns e).
Proof.
  intros HS n v. unfold graph. apply sum_front; [exact HS|]. intros env k cs c Hv E. cbn [holds]. rewrite lin_put, Hv. unfold signed. destruct n; cbn [sg off]; lia.
Qed.
Lemma sum_bounded ns vs d e v : Sum ns vs e -> (holds (bounded ns d e) (v :: vs) <-> d * den ns vs e <= d * Z.of_N v).
Proof. intros HS. apply sum_front; [exact HS|]. intros env k cs c Hv E. cbn [holds]. rewrite lin_put, Hv. lia. Qed.
Lemma sum_two ns vs a b f pre (R : Z -> Prop) : Sum ns vs a -> Sum ns vs b ->
  (forall env cs c, holds (f cs c) env <-> R (lin cs env + c)) ->
  (holds (sum ns a 1 (length pre) [] 0 (fun k cs c => sum ns b (-1) k cs c (fun _ cs c => f cs c))) (pre ++ vs) <-> R (den ns vs a - den ns vs b)).
Proof.
  intros Ha Hb H. apply Ha. intros more cs c E. rewrite app_assoc. apply Hb. intros more' cs' c' E'. rewrite H, E'.
  rewrite <- app_assoc, E. replace (lin [] (pre ++ vs)) with 0 by reflexivity. now replace (0 + 0 + 1 * den ns vs a + -1 * den ns vs b) with (den ns vs a - den ns vs b) by lia.
Qed.
Lemma in_range low high v : In v (range low high) <-> low <= Z.of_N v <= high.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros H. exists (N.to_nat (v - Z.to_N low)). rewrite in_seq. lia.
Qed.
Lemma testbit_signed n v i : Z.testbit (signed n v) (Z.of_N i) = xorb n (N.testbit v i).
Proof.
  rewrite <- Z.testbit_of_N. unfold signed, sg, off. destruct n.
  - replace (-1 * Z.of_N v + -1) with (Z.lnot (Z.of_N v)) by (unfold Z.lnot; lia). now rewrite Z.lnot_spec by lia.
  - replace (1 * Z.of_N v + 0) with (Z.of_N v) by lia. now destruct (Z.testbit _ _).
Qed.
Lemma by_places_ok o n na nb v va vb vs :
  holds (by_places o n na nb) (vb :: va :: v :: vs) <-> by_digits o (signed na va) (signed nb vb) = signed n v.
Proof.
  assert (B : forall i, eval (match by_places o n na nb with FDigits t => t | _ => Leaf false end) (digits_at (vb :: va :: v :: vs) i) = true <->
    digit o (xorb na (N.testbit va i)) (xorb nb (N.testbit vb i)) = xorb n (N.testbit v i)).
  { intros i. cbn. destruct (N.testbit vb i), (N.testbit va i); cbn; destruct (digit o _ _), n, (N.testbit v i); cbn; intuition congruence. }
  assert (D : forall a b i, 0 <= i -> Z.testbit (by_digits o a b) i = digit o (Z.testbit a i) (Z.testbit b i)).
  { intros a b i _. destruct o; [apply Z.land_spec|apply Z.lor_spec|apply Z.lxor_spec]. }
  change (holds (by_places o n na nb) ?env) with (forall i, eval (match by_places o n na nb with FDigits t => t | _ => Leaf false end) (digits_at env i) = true).
  split.
  - intros H. apply Z.bits_inj'. intros i Hi. rewrite <- (Z2N.id i Hi), D, !testbit_signed by lia. now apply B.
  - intros H i. apply B. apply (f_equal (fun z => Z.testbit z (Z.of_N i))) in H. now rewrite D, !testbit_signed in H by lia.
Qed.

Scheme expr_i := Induction for expr Sort Prop with bexp_i := Induction for bexp Sort Prop.
Combined Scheme expr_bexp from expr_i, bexp_i.

Lemma sum_atom ns vs e g : (forall z (pre : list N) cs c body, sum ns e z (length pre) cs c body =
    let_in (length pre) e g (fun n => body (S (length pre)) ((0%nat, z * sg n) :: up cs) (c + z * off n))) ->
  Graph ns vs e g -> Sum ns vs e.
Proof.
  intros HE HG z pre cs c body Q H. rewrite HE. apply (let_in_ok ns vs e g _ pre Q HG). intros n v _ E.
  apply (H [v]). cbn [app]. rewrite lin_cons, lin_up, E. change (var (v :: pre ++ vs) 0) with v. unfold signed. lia.
Qed.
Theorem flatten_ok :
  (forall e ns vs, Sum ns vs e) /\ (forall c ns vs, holds (cond ns c) vs <-> test ns vs c = true).
Proof.
  apply expr_bexp.
  - intros x ns vs z pre cs c body Q H. apply (H []). cbn [den app]. unfold value. destruct (index x ns) as [i|]; [|lia].
    rewrite lin_put. unfold var at 1. rewrite app_nth2 by lia. replace (length pre + i - length pre)%nat with i by lia. unfold var. lia.
  - intros m ns vs z pre cs c body Q H. apply (H []). cbn [den app]. lia.
  - intros a Ha b Hb ns vs z pre cs c body Q H. apply Ha. intros more cs1 c1 E1. rewrite app_assoc. apply Hb.
    intros more' cs2 c2 E2. specialize (H (more' ++ more) cs2 c2). rewrite <- !app_assoc in *. apply H. rewrite E2, E1. cbn [den]. lia.
  - intros y a Ha ns vs z pre cs c body Q H. apply Ha. intros more cs1 c1 E1. apply H. rewrite E1. cbn [den]. lia.
  - intros a Ha d ns vs. eapply sum_atom; [reflexivity|]. intros n v. cbn [den]. apply sum_front; [auto|]. intros env k cs c Hv E.
    cbn [holds]. rewrite lin_scale, !lin_put, Hv. pose proof (Z.div_mod (den ns vs a) (Zpos d) ltac:(lia)) as E1.
    pose proof (Z.mod_pos_bound (den ns vs a) (Zpos d) eq_refl) as E2. set (y := signed n v).
    replace (- Zpos d * sg n * Z.of_N v + lin cs env + (c - Zpos d * off n)) with (den ns vs a - Zpos d * y) by (unfold y, signed; lia).
    replace (-1 * (- Zpos d * sg n * Z.of_N v + lin cs env) + - (c - Zpos d * off n)) with (Zpos d * y - den ns vs a) by (unfold y, signed; lia).
    replace (- Zpos d * sg n * Z.of_N v + lin cs env + (c - Zpos d * off n + 1 - Zpos d)) with (den ns vs a - Zpos d * y + 1 - Zpos d) by (unfold y, signed; lia).
    split; [intros [H1 H2]; symmetry; apply Z.div_unique with (den ns vs a - Zpos d * y); lia|intros <-; lia].
  - intros a Ha d ns vs. eapply sum_atom; [reflexivity|]. intros n v. cbn [den].
    pose proof (Z.div_mod (den ns vs a) (Zpos d) ltac:(lia)) as E1. pose proof (Z.mod_pos_bound (den ns vs a) (Zpos d) eq_refl) as E2.
    destruct n; [cbn [holds]; lins; unfold signed, sg, off; lia|]. cbn [holds]. replace (signed false v) with (Z.of_N v) by (unfold signed, sg, off; lia).
    lins. destruct (Z.lt_ge_cases (Z.of_N v) (Zpos d)) as [Lv|Lv]; [|lia].
    rewrite (sum_front ns vs a 1 _ v (exists q, den ns vs a - Z.of_N v = Zpos d * q)); [|auto|].
    + split.
      * intros (_ & q & H2). symmetry. apply Z.mod_unique with q; lia.
      * intros <-. split; [lia|]. exists (den ns vs a / Zpos d). lia.
    + intros env k cs c Hv E. set (X := den ns vs a - Z.of_N v).
      assert (Qs : forall s w, lin ((0%nat, - Zpos d * sg s) :: up (put (pred k) (-1) cs)) (w :: env) + (c - Zpos d * off s) = X - Zpos d * signed s w).
      { intros s w. rewrite lin_cons, lin_up, lin_put, Hv. change (var (w :: env) 0) with w. unfold X, signed. lia. }
      assert (P : forall s, holds (FEx (FEq ((0%nat, - Zpos d * sg s) :: up (put (pred k) (-1) cs)) (c - Zpos d * off s))) env <-> exists w, X = Zpos d * signed s w).
      { intros s. cbn [holds]. setoid_rewrite Qs. split; intros [w Hw]; exists w; lia. }
      assert (S : forall q, exists s w, q = signed s w /\ (0 <= q -> s = false)).
      { intros q. exists (q <? 0), (Z.to_N (if q <? 0 then -1 - q else q)). unfold signed, sg, off. destruct (Z.ltb_spec q 0); lia. }
      assert (O : forall f g env, holds (FOr f g) env <-> holds f env \/ holds g env) by reflexivity.
      destruct (nonneg a) eqn:Na; rewrite ?O, ?P.
      * split; [intros [w Hw]; eauto|]. intros [q Hq]. destruct (S q) as (s & w & -> & Hs). exists w. rewrite <- Hs; [exact Hq|].
        apply (nonneg_ok ns vs) in Na. unfold X in Hq. nia.
      * split; [intros [[w Hw]|[w Hw]]; eauto|]. intros [q Hq]. destruct (S q) as (s & w & -> & _). destruct s; eauto.
  - intros o a Ha b Hb ns vs. eapply sum_atom; [reflexivity|]. intros n v. cbn [den].
    apply (let_in_ok ns vs a (graph ns a) _ [v] _ (sum_graph _ _ _ (Ha ns vs))). intros na va _ Ea.
    apply (let_in_ok ns vs b (graph ns b) _ [va; v] _ (sum_graph _ _ _ (Hb ns vs))). intros nb vb _ Eb. rewrite Ea, Eb. apply by_places_ok.
  - intros a Ha ns vs. eapply sum_atom; [reflexivity|]. intros n v. cbn [den].
    apply (let_in_ok ns vs a (graph ns a) _ [v] _ (sum_graph _ _ _ (Ha ns vs))). intros na va _ Ea. rewrite Ea.
    pose proof (Z.pow_nonneg 2 (Z.log2 (signed na va)) ltac:(lia)) as Pos. destruct n.
    { cbn [holds]. lins. unfold signed at 2, sg, off. lia. }
    unfold signed, sg, off in *. clear Pos.
    destruct na; cbn [holds]; lins; [rewrite Z.log2_nonpos by lia; lia|]. fold (holds is_top (va :: v :: vs)). rewrite is_top_ok.
    replace (1 * Z.of_N va + 0) with (Z.of_N va) by lia. replace (Z.log2 (Z.of_N va)) with (Z.of_N (N.log2 va)) by now destruct va as [|[]].
    change 2 with (Z.of_N 2). rewrite <- N2Z.inj_pow. destruct (N.eq_dec va 0) as [->|]; cbn [N.log2 N.pow]; lia.
  - intros t Ht a Ha b Hb ns vs. eapply sum_atom; [reflexivity|]. intros n v. cbn [holds den].
    rewrite (holds_fren (cond ns t) S (v :: vs) vs) by reflexivity. fold holds.
    rewrite Ht, (sum_graph ns vs _ (Ha ns vs) n v), (sum_graph ns vs _ (Hb ns vs) n v). destruct (test ns vs t); intuition congruence.
  - intros b ns vs. cbn. destruct b; intuition (lia || congruence).
  - intros a Ha b Hb ns vs. cbn [cond test]. rewrite Z.leb_le, (sum_two ns vs a b FLe [] (fun z => z <= 0)) by (auto; reflexivity). lia.
  - intros a Ha b Hb ns vs. cbn [cond test]. rewrite Z.eqb_eq, (sum_two ns vs a b FEq [] (fun z => z = 0)) by (auto; reflexivity). lia.
  - intros c Hc ns vs. cbn [cond test holds]. rewrite Hc. now destruct (test ns vs c).
  - intros c Hc d Hd ns vs. cbn [cond test holds]. now rewrite Hc, Hd, andb_true_iff.
  - intros c Hc d Hd ns vs. cbn [cond test holds]. now rewrite Hc, Hd, orb_true_iff.
  - intros x low Hl high Hh c Hc ns vs. cbn [cond test holds]. rewrite existsb_exists. setoid_rewrite in_range. setoid_rewrite (Hc (x :: ns)).
    setoid_rewrite (fun v => sum_bounded ns vs 1 low v (Hl ns vs)). setoid_rewrite (fun v => sum_bounded ns vs (-1) high v (Hh ns vs)).
    split; intros (v & H & T); exists v; (split; [lia|exact T]).
  - intros A xs ns vs. cbn [cond test]. destruct (known xs ns); cbn [holds]; [reflexivity|]. cbn. intuition (lia || congruence).
Qed.
Corollary cond_ok ns vs c : holds (cond ns c) vs <-> test ns vs c = true. Proof. apply flatten_ok. Qed.
Corollary graph_ok ns vs e : Graph ns vs e (graph ns e). Proof. apply sum_graph, flatten_ok. Qed.
Corollary bounded_ok ns vs d e v : holds (bounded ns d e) (v :: vs) <-> d * den ns vs e <= d * Z.of_N v.
Proof. apply sum_bounded, flatten_ok. Qed.

(** Further values at the end, which have no names, change nothing. *)
Lemma index_less x ns : forall i, index x ns = Some i -> (i < length ns)%nat.
Proof.
  induction ns as [|y ns IH]; cbn [index length]; intros i E; [discriminate|]. destruct (String.eqb x y); [injection E as <-; lia|].
  destruct (index x ns); [|discriminate]. injection E as <-. specialize (IH n eq_refl). lia.
Qed.
Theorem more_values more :
  (forall e ns vs, length vs = length ns -> den ns (vs ++ more) e = den ns vs e) /\
  (forall c ns vs, length vs = length ns -> test ns (vs ++ more) c = test ns vs c).
Proof.
  apply expr_bexp; intros; cbn [den test]; repeat match goal with H : forall ns vs, _ -> _ = _ |- _ => rewrite H by assumption; clear H end; try reflexivity.
  - f_equal. unfold value. destruct (index x ns) as [i|] eqn:E; [|reflexivity]. apply index_less in E. unfold var. now rewrite app_nth1 by lia.
  - induction (range _ _) as [|v l IH]; [reflexivity|]. cbn [existsb]. rewrite IH. f_equal. apply (H1 (x :: ns) (v :: vs)). cbn. now f_equal.
  - destruct (known xs ns) as [l|] eqn:E; [|reflexivity]. f_equal. revert l E.
    induction xs as [|x xs IH]; cbn [known]; intros l E; [now injection E as <-|].
    destruct (index x ns) as [i|] eqn:Ei; [|discriminate]. destruct (known xs ns); [|discriminate]. injection E as <-.
    cbn. f_equal; [|now apply IH]. apply index_less in Ei. unfold var. now rewrite app_nth1 by lia.
Qed.
