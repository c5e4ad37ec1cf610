import { type Deployment, keyOf, keyToString } from '../../api/objects.ts';
import { isNamespaceTerminating } from '../../api/status.ts';
import type { Component, ComponentContext } from '../component.ts';
import { Unwritten } from '../unwritten.ts';
import type { RateLimitingWorkQueue } from '../work-queue.ts';
import { DeploymentCaches } from './deployment-caches.ts';
import { DeploymentControl } from './deployment-control.ts';

/** The dependencies of every part of a Deployment controller. */
export interface DeploymentSyncContext {
  readonly context: ComponentContext;
  /** Keys of Deployments: `namespace/name`. */
  readonly queue: RateLimitingWorkQueue<string>;
  readonly caches: DeploymentCaches;
  /** Sends the requests, and emits the Events about them. */
  readonly control: DeploymentControl;
  /**
   * Syncs the Deployment again after this time plus one second. Without the extra second, a timer that fires slightly
   * early would find the deadline not yet exceeded.
   */
  enqueueAfter(deployment: Deployment, afterMs: number): void;
}

/** Creates the dependencies of a starting controller. */
export function newDeploymentSyncContext(context: ComponentContext): DeploymentSyncContext {
  const queue = context.newWorkQueue<string>();
  return {
    context,
    queue,
    caches: new DeploymentCaches(context.informers),
    control: new DeploymentControl(context),
    enqueueAfter: (deployment, afterMs) =>
      queue.addAfter(keyToString(keyOf(deployment)), afterMs + DEADLINE_SKEW_MS),
  };
}

/** The part of a Deployment controller that makes the decisions. */
interface DeploymentControllerParts {
  /** @param key `namespace/name` of a Deployment */
  syncDeployment(syncContext: DeploymentSyncContext, key: string): Promise<void>;
}

const WORKERS = 5;
const DEADLINE_SKEW_MS = 1_000;

/**
 * Assembles a Deployment controller from these parts: its handlers enqueue, and its workers sync. A failed sync is
 * retried with an increasing delay, except in a terminating namespace, where nothing can be created. A part that is not
 * implemented yet ends the controller. A Deployment with an empty selector is not synced: it would select every pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/deployment_controller.go NewDeploymentController,
 * DeploymentController.Run, DeploymentController.handleErr, DeploymentController.syncDeployment
 */
export function assembleDeploymentController(parts: DeploymentControllerParts): Component {
  return async (context) => {
    const syncContext = newDeploymentSyncContext(context);
    const { caches, control, queue } = syncContext;
    const unwritten = new Unwritten();
    const sync = async (key: string): Promise<void> => {
      const deployment = caches.deployment(key);
      if (deployment && Object.keys(deployment.spec.selector).length === 0) {
        return control.refuseToSelectAll(deployment);
      }
      await parts.syncDeployment(syncContext, key).catch((error: unknown) => {
        if (!isNamespaceTerminating(error)) unwritten.meet(error);
      });
    };
    caches.listen((deployment) => queue.add(keyToString(keyOf(deployment))));
    await caches.start();
    const onError = (error: unknown, key: string): void =>
      context.log(`sync of ${key} failed: ${String(error)}`);
    const work = context.runWorkers({ queue, workers: WORKERS, sync, onError });
    await Promise.race([work, unwritten.met]);
  };
}
