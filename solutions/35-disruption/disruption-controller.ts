import { type PodDisruptionBudget, podDisruptionBudgets } from '#given/35-disruption';
import {
  type Component,
  type ComponentContext,
  isConflict,
  keyOf,
  keyToString,
  labels,
  lastKnown,
  messageOf,
  type Pod,
  pods,
  type RateLimitingWorkQueue,
  type SharedInformer,
  semanticEqual,
} from '#harness';
import {
  countHealthyPods,
  dependsOnScale,
  desiredHealthy,
  failedStatus,
  pendingEvictions,
  syncedStatus,
} from './budget-status.ts';
import { ControllerScales, UnknownScale } from './controller-scales.ts';
import { StaleDisruptions } from './stale-disruptions.ts';

/**
 * Computes the status of each PodDisruptionBudget: how many of its pods the eviction API may evict now. The API itself
 * decrements this number with each eviction, and records the pod. The controller must not count a recorded pod as
 * healthy, although its cache does not show the deletion yet.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/disruption/disruption.go DisruptionController
 *
 * Differs: a pod event syncs each budget that selects the pod, before or after a change of its labels. Upstream syncs one
 * budget that selects it now. A sync that failed because of a request is retried. Upstream forgets the error after it has
 * written the status.
 */
class DisruptionController {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #budgets: SharedInformer<PodDisruptionBudget>;
  readonly #pods: SharedInformer<Pod>;
  readonly #scales: ControllerScales;
  readonly #stale: StaleDisruptions;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#budgets = context.informers.forResource(podDisruptionBudgets);
    this.#pods = context.informers.forResource(pods);
    this.#stale = new StaleDisruptions(context);
    this.#scales = new ControllerScales(context, (namespace) => {
      for (const budget of this.#budgetsIn(namespace)) if (dependsOnScale(budget)) this.#enqueue(budget);
    });
    this.#budgets.addEventHandler({
      onAdd: (budget) => this.#enqueue(budget),
      onUpdate: (_old, budget) => this.#enqueue(budget),
    });
    this.#pods.addEventHandler({
      onAdd: (pod) => this.#enqueueBudgetsOf(pod),
      onUpdate: (old, pod) => {
        if (!semanticEqual(old.metadata.labels, pod.metadata.labels)) this.#enqueueBudgetsOf(old);
        this.#enqueueBudgetsOf(pod);
      },
      onDelete: (last) => this.#enqueueBudgetsOf(lastKnown(last)),
    });
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    informers.start();
    await informers.waitForCacheSync();
    const syncing = runWorkers({
      queue: this.#queue,
      workers: 1,
      sync: (key) => this.#sync(key),
      onError: (error, key) =>
        log(`error syncing PodDisruptionBudget ${key}, requeuing: ${messageOf(error)}`),
    });
    await Promise.all([syncing, this.#stale.run()]);
  }

  #enqueue(budget: PodDisruptionBudget): void {
    this.#queue.add(keyToString(keyOf(budget)));
  }

  #budgetsIn(namespace: string | undefined): readonly PodDisruptionBudget[] {
    return this.#budgets.indexer.byIndex('namespace', namespace ?? '');
  }

  /** Upstream: getPdbForPod */
  #enqueueBudgetsOf(pod: Pod): void {
    const { namespace, name } = pod.metadata;
    const covering = this.#budgetsIn(namespace).filter((budget) => selects(budget, pod));
    for (const budget of covering) this.#enqueue(budget);
    if (covering.length < 2) return;
    const names = covering.map(({ metadata }) => metadata.name).toSorted();
    const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets: ${names.join(', ')}`;
    this.#context.recorder.event(pod, 'Warning', 'MultiplePodDisruptionBudgets', message);
  }

  async #sync(key: string): Promise<void> {
    const budget = this.#budgets.indexer.getByKey(key);
    if (!budget) return;
    try {
      await this.#trySync(budget);
    } catch (error) {
      // Another writer changed the budget, for example an eviction: the counts must be computed again.
      if (isConflict(error)) throw error;
      await this.#write(budget, failedStatus(budget, messageOf(error), this.#context.clock.now()));
      if (!(error instanceof UnknownScale)) throw error;
    }
  }

  async #trySync(budget: PodDisruptionBudget): Promise<void> {
    const { clock, recorder } = this.#context;
    const { namespace = '' } = budget.metadata;
    const covered = this.#pods.indexer.byIndex('namespace', namespace).filter((pod) => selects(budget, pod));
    if (covered.length === 0) recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found');
    const expectedPods = await this.#expectedPods(budget, covered);
    const nowMs = clock.now();
    const { disruptedPods, firstExpiryMs, notDeleted } = pendingEvictions(budget, covered, nowMs);
    for (const pod of notDeleted) {
      const message = `Pod was expected by PDB ${keyToString(keyOf(budget))} to be deleted but it wasn't`;
      recorder.event(pod, 'Warning', 'NotDeleted', message);
    }
    const counts = {
      expectedPods,
      currentHealthy: countHealthyPods(covered, disruptedPods),
      desiredHealthy: desiredHealthy(budget.spec, expectedPods),
    };
    await this.#write(budget, syncedStatus(budget, counts, disruptedPods, nowMs));
    if (firstExpiryMs !== undefined) this.#queue.addAfter(keyToString(keyOf(budget)), firstExpiryMs);
  }

  /** Upstream: getExpectedPodCount */
  async #expectedPods(budget: PodDisruptionBudget, covered: readonly Pod[]): Promise<number> {
    const { recorder } = this.#context;
    const { minAvailable } = budget.spec;
    if (!dependsOnScale(budget)) return minAvailable === undefined ? 0 : covered.length;
    try {
      const { expectedPods, unmanaged } = await this.#scales.expectedScale(covered);
      if (unmanaged.length > 0) {
        recorder.event(budget, 'Warning', 'UnmanagedPods', unmanagedMessage(budget));
      }
      return expectedPods;
    } catch (error) {
      const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
      recorder.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
      throw error;
    }
  }

  /** Writes a status that has changed, if the budget is still as it was read. */
  async #write(budget: PodDisruptionBudget, status: PodDisruptionBudget['status']): Promise<void> {
    if (semanticEqual(budget.status, status)) return;
    const { client, signal } = this.#context;
    await client.updateStatus(podDisruptionBudgets, { ...budget, status }, { signal });
  }
}

function selects({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  if (metadata.namespace !== pod.metadata.namespace) return false;
  return labels.labelSelectorAsSelector(spec.selector).matches(pod.metadata.labels);
}

function unmanagedMessage({ spec }: PodDisruptionBudget): string {
  const selector = labels.labelSelectorAsSelector(spec.selector);
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the ` +
    'status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these ' +
    'pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}

/** The controller as it runs in a cluster. */
export const disruptionController: Component = (context) => new DisruptionController(context).run();
