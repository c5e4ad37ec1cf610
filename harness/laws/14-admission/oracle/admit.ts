import type { KubeObject, Pod } from '../../../api/objects.ts';
import { groupResource } from '../../../api/resource.ts';
import { type AdmissionHistory, type Call, type Phase, statusOf } from '../history.ts';
import { type HookPlan, isAskable, nameOfHook, storedNameOf } from '../scenario/hooks.ts';
import { verdictOf } from './answers.ts';
import { difference } from './compare.ts';
import { type FactsAt, factsAt, isSettled } from './facts.ts';
import { type Findings, type LawName, nameOf } from './findings.ts';
import { hooksAt, isCalled, isLost } from './matching.ts';
import { refusalOfNode } from './nodes.ts';
import { completed, type Refusal } from './pods.ts';

/** Resources whose objects only webhooks change. Other resources have small plugins of their own. */
const UNTOUCHED = new Set(['configmaps', 'secrets', 'services', 'deployments.apps', 'namespaces']);

/** Judges one call of `admit`, if everything that its plugins read is known. */
export function judgeAdmit(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  if (phase.outcome === undefined || !isSettled(history, phase)) return;
  new Admitting(history, phase, findings).judge();
}

/** The place of a call: its run of the chain, and the position of the webhook among all. */
interface Place {
  readonly round: 0 | 1;
  readonly position: number;
}

/** The end of a phase before its webhooks or plugins are done. */
class Ended extends Error {}

class Admitting {
  readonly #history: AdmissionHistory;
  readonly #phase: Phase;
  readonly #findings: Findings;
  readonly #facts: FactsAt;
  /** The number of calls that are explained. */
  #next = 0;
  #object: KubeObject | undefined;
  /** Webhooks that were called before a change, and want to be called again. */
  readonly #again = new Set<number>();
  /** Webhooks that want to be called again after a change, without a change since their call. */
  #unchanged = new Set<number>();
  #isDirty = false;
  /** Whether a webhook of this round has failed without failing the request. */
  #hasIgnored = false;
  /** Whether no webhook was called since the plugins ran. */
  #isStart = true;

  constructor(history: AdmissionHistory, phase: Phase, findings: Findings) {
    this.#history = history;
    this.#phase = phase;
    this.#findings = findings;
    this.#facts = factsAt(history, phase.attributes.namespace, phase.cachedRevision);
    this.#object = phase.attributes.object;
  }

  judge(): void {
    try {
      this.#plugins();
      this.#webhooks(0);
      if (this.#isDirty) {
        const last = this.#object;
        this.#plugins();
        if (difference(this.#object, last, this.#phase.attributes.object)) this.#requireAll();
        this.#webhooks(1);
      }
      this.#end();
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
  }

  /** Expects the plugins of the apiserver: each completes the object or refuses it. */
  #plugins(): void {
    const { attributes } = this.#phase;
    this.#isStart = true;
    const refusals: { readonly law: LawName; readonly refusal: Refusal }[] = [];
    const inNamespace = this.#refusalOfNamespace();
    if (inNamespace) refusals.push({ law: 'namespaces', refusal: inNamespace });
    const byNode = refusalOfNode(
      { ...attributes, object: this.#object },
      this.#history,
      this.#phase.cachedRevision,
    );
    if (byNode) refusals.push({ law: 'nodes', refusal: byNode });
    if (groupResource(attributes.resource) === 'pods' && this.#object && inNamespace === undefined) {
      const { pod, refusals: found } = completed(this.#object as Pod, attributes, this.#facts);
      refusals.push(...found.map((refusal) => ({ law: 'completes' as const, refusal })));
      this.#object = pod;
    }
    const [first] = refusals;
    if (!first) return;
    this.#findings.meet(...refusals.map(({ law }) => law));
    const { code: expected, text, why = text } = first.refusal;
    this.#mustFail(first.law, `expected a ${expected}: ${why}`, (code, message) =>
      refusals.some(
        ({ refusal }) =>
          (refusal.code === code || refusal.otherCode === code) && message.includes(refusal.text),
      ),
    );
  }

  #refusalOfNamespace(): Refusal | undefined {
    const { operation, resource, namespace, name } = this.#phase.attributes;
    if (groupResource(resource) === 'namespaces') {
      const isImmortal = ['default', 'kube-system', 'kube-public'].includes(name);
      if (operation !== 'DELETE' || !isImmortal) return undefined;
      return { code: 403, text: 'this namespace may not be deleted' };
    }
    if (namespace === '' || operation === 'DELETE' || operation === 'CONNECT') return undefined;
    const found = this.#facts.namespace;
    if (!found) return { code: 404, text: `namespaces "${namespace}" not found` };
    if (operation !== 'CREATE' || found.status.phase !== 'Terminating') return undefined;
    return {
      code: 403,
      text: `unable to create new content in namespace ${namespace} because it is being terminated`,
    };
  }

  /** Expects the calls of one round. */
  #webhooks(round: 0 | 1): void {
    this.#hasIgnored = false;
    const { attributes, cachedRevision, calls } = this.#phase;
    const { hooks } = this.#history.scenario.facts;
    const { namespace } = this.#facts;
    const labels = namespace && (namespace.metadata.labels ?? {});
    for (const [position, index] of hooksAt(this.#history, 'mutating', cachedRevision).entries()) {
      const hook = hooks[index] as HookPlan;
      const isWanted = round === 0 || this.#again.has(index);
      if (isLost(hook, attributes, this.#object, labels)) this.#mustMissNamespace(index);
      if (!isWanted || !isCalled(hook, attributes, this.#object, labels)) continue;
      this.#findings.meet(round === 0 ? 'called' : 'reinvoked');
      if (attributes.dryRun && (hook.sideEffects === 'Some' || hook.sideEffects === 'Unknown')) {
        this.#findings.meet('dryRun');
        this.#mustFail(
          'dryRun',
          `expected a 400, because ${nameOfHook(index)} has side effects`,
          (code) => code === 400,
        );
      }
      if (!isAskable(hook)) {
        this.#failed(hook, index, { round, position });
        if (hook.reinvocationPolicy === 'IfNeeded') this.#unchanged.add(index);
        continue;
      }
      const call = calls[this.#next];
      // Plugins between the two rounds take time, too.
      if (!call && this.#isOutOfTime()) {
        this.#mustFail(
          'onTime',
          `expected a 504 or a 500, because no time was left for ${nameOfHook(index)}`,
          (code) => code === 504 || code === 500,
        );
      }
      if (call?.hook !== index) this.#miscalled(index, call, round);
      this.#next++;
      this.#seen(call as Call);
      this.#answered(hook, index, call as Call, { round, position });
      if (hook.reinvocationPolicy === 'IfNeeded') this.#unchanged.add(index);
    }
  }

  #isOutOfTime(): boolean {
    const { attributes, endMs = 0 } = this.#phase;
    return endMs >= attributes.deadlineMs;
  }

  /** A call is missing or out of order. */
  #miscalled(index: number, call: Call | undefined, round: 0 | 1): never {
    const law = this.#hasIgnored && !call ? 'policy' : round === 1 ? 'reinvoked' : 'called';
    const again = round === 1 ? 'again ' : '';
    const { calls } = this.#phase;
    const isLate = calls.slice(this.#next).some(({ hook }) => hook === index);
    if (isLate) this.#report('inTurn', `${nameOfHook(index)} was called ${again}out of order`);
    const instead = call ? `, but ${nameOfHook(call.hook)} was` : '';
    this.#report(law, `${nameOfHook(index)} was not called ${again}although it matches${instead}`);
    throw new Ended();
  }

  /** Compares the object in a review with the object so far. */
  #seen(call: Call): void {
    const { attributes } = this.#phase;
    const { resource, operation } = attributes;
    const seen = (call.review.request?.object ?? undefined) as KubeObject | undefined;
    const name = groupResource(resource);
    const isFirst = this.#next === 1;
    // Small plugins of other kinds may have changed the object: their result is taken as it is.
    const isKnown = name === 'pods' || UNTOUCHED.has(name) || attributes.subresource !== '';
    if (isFirst && !isKnown) {
      this.#object = seen;
      return;
    }
    const law = this.#hasIgnored ? 'policy' : this.#isStart ? 'completes' : 'inTurn';
    if (law === 'inTurn') this.#findings.meet('inTurn');
    if (operation === 'DELETE' && seen === undefined && !this.#object) return;
    const found = difference(seen, this.#object, attributes.object);
    if (found === undefined) return;
    this.#report(law, `${nameOfHook(call.hook)} was called with a wrong object: ${found}`);
    throw new Ended();
  }

  /** Applies the answer of a webhook. */
  #answered(hook: HookPlan, index: number, call: Call, place: Place): void {
    this.#isStart = false;
    const verdict = verdictOf(this.#history, hook, call, this.#phase, this.#object);
    const [name, own] = [nameOfHook(index), storedNameOf(hook, index)];
    if (verdict.is === 'pass') {
      this.#object = verdict.object;
      if (!verdict.hasChanged) return;
      this.#requireAll();
      this.#isDirty = true;
      return;
    }
    if (verdict.is === 'unknown') throw new Ended();
    if (verdict.is === 'refuse') {
      this.#findings.meet('refusals');
      this.#mustFail(
        'refusals',
        `expected a ${verdict.code}, because ${name} denied the request`,
        (code, message) =>
          code === verdict.code && message.includes(`admission webhook "${own}" denied the request`),
      );
    }
    if (verdict.is === 'error') {
      this.#mustFail(
        'policy',
        `expected a 500, because the patch of ${name} does not fit`,
        (code) => code === 500,
      );
    }
    this.#failed(hook, index, place, call.endMs ?? Number.POSITIVE_INFINITY);
  }

  /** The policy of a failed webhook decides. The request goes on only if it has time left. */
  #failed(hook: HookPlan, index: number, { round, position }: Place, endMs = 0): void {
    const [name, own] = [nameOfHook(index), storedNameOf(hook, index)];
    const { annotations, attributes, outcome } = this.#phase;
    this.#findings.meet('policy');
    if (hook.failurePolicy !== 'Ignore') {
      this.#mustFail(
        'policy',
        `expected a 500, because ${name} failed and its policy is Fail`,
        (code, message) => code === 500 && message.includes(`failed calling webhook "${own}"`),
      );
    }
    this.#hasIgnored = true;
    if (endMs >= attributes.deadlineMs)
      this.#mustFail(
        'onTime',
        'expected a 504, because the time of the request is over',
        (code) => code === 504,
      );
    const key = `failed-open.mutation.webhook.admission.k8s.io/round_${round}_index_${position}`;
    if (outcome && annotations.get(key) !== own)
      this.#report('policy', `${name} failed without consequences, and the audit log does not say so`);
  }

  #mustMissNamespace(index: number): never {
    this.#findings.meet('called');
    const why = `expected a 404: ${nameOfHook(index)} selects by the labels of a missing namespace`;
    return this.#mustFail('called', why, (code) => code === 404);
  }

  #requireAll(): void {
    for (const index of this.#unchanged) this.#again.add(index);
    this.#unchanged = new Set();
  }

  /** Expects that the phase fails now, without further calls. */
  #mustFail(law: LawName, why: string, isExpected: (code: number, message: string) => boolean): never {
    const { outcome, calls } = this.#phase;
    const status = statusOf(outcome);
    if (calls.length > this.#next) {
      const extra = calls[this.#next] as Call;
      this.#report(
        law === 'dryRun' || law === 'onTime' ? law : 'called',
        `${nameOfHook(extra.hook)} was called although the request had failed: ${why}`,
      );
    } else if (!status) {
      if (outcome && 'value' in outcome) this.#report(law, `${why}; it went on`);
    } else if (!isExpected(status.code, status.message)) {
      this.#report(law, `${why}; it got a ${status.code}: ${status.message}`);
    }
    throw new Ended();
  }

  /** Expects that the phase succeeds now, without further calls. */
  #end(): void {
    const { outcome, calls, attributes } = this.#phase;
    const extra = calls[this.#next];
    if (extra) {
      const isSecond = calls.slice(0, this.#next).some(({ hook }) => hook === extra.hook);
      const why = isSecond ? 'again, which it does not want or need' : 'although it does not match';
      const what = `${nameOfHook(extra.hook)} was called ${why}`;
      // Without a call before, either round can have called it.
      if (!isSecond) this.#report('called', what);
      if (isSecond || this.#isDirty) this.#report('reinvoked', what);
      return;
    }
    if (!outcome) return;
    this.#findings.meet('admits');
    if ('error' in outcome) {
      const status = statusOf(outcome);
      if (status) {
        const law = this.#hasIgnored ? 'policy' : 'admits';
        this.#report(law, `was refused without a reason: ${status.code} ${status.message}`);
      }
      return;
    }
    const name = groupResource(attributes.resource);
    const isPod = name === 'pods' && attributes.subresource === '';
    if (attributes.operation === 'CREATE' && isPod) this.#findings.meet('completes', 'keeps');
    if (!isPod && !UNTOUCHED.has(name) && this.#next === 0) return;
    const found = difference(outcome.value, this.#object, attributes.object);
    if (found === undefined) return;
    const law = this.#hasIgnored ? 'policy' : calls.length > 0 && !isPod ? 'inTurn' : 'completes';
    this.#report(law, `goes on with a wrong object: ${found}`);
  }

  #report(law: LawName, what: string): void {
    this.#findings.report(law, this.#phase.endMs ?? this.#phase.startMs, `${nameOf(this.#phase)}: ${what}`);
  }
}
