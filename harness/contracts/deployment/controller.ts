import { type Deployment, keyOf, keyToString } from '../../api/objects.ts';
import { isNamespaceTerminating } from '../../api/status.ts';
import type { Component, ComponentContext } from '../component.ts';
import { Unwritten } from '../unwritten.ts';
import type { RateLimitingWorkQueue } from '../work-queue.ts';
import { DeploymentCaches } from './deployment-caches.ts';
import { DeploymentControl } from './deployment-control.ts';

/** What every part of a Deployment controller works with. */
export interface DeploymentDesk {
  readonly context: ComponentContext;
  /** Keys of Deployments: `namespace/name`. */
  readonly queue: RateLimitingWorkQueue<string>;
  readonly caches: DeploymentCaches;
  /** Requests, and the Events that tell of them. */
  readonly control: DeploymentControl;
  /**
   * Looks at the Deployment again after this time and a second more: a timer that fires a little early would find the deadline
   * a little ahead.
   */
  enqueueAfter(deployment: Deployment, afterMs: number): void;
}

/** The desk of a controller that starts. */
export function newDeploymentDesk(context: ComponentContext): DeploymentDesk {
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

/** The part of a Deployment controller that decides. */
interface DeploymentControllerParts {
  /** @param key `namespace/name` of a Deployment */
  syncDeployment(desk: DeploymentDesk, key: string): Promise<void>;
}

const WORKERS = 5;
const DEADLINE_SKEW_MS = 1_000;

/**
 * A Deployment controller of these parts: its handlers enqueue, and its workers sync. A sync that fails is tried again, later each
 * time; except in a namespace that is going away, where nothing can be created. A part that is not written yet ends the
 * controller. A Deployment with an empty selector is not synced: it would select everything.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/deployment_controller.go NewDeploymentController,
 * DeploymentController.Run, DeploymentController.handleErr, DeploymentController.syncDeployment
 */
export function assembleDeploymentController(parts: DeploymentControllerParts): Component {
  return async (context) => {
    const desk = newDeploymentDesk(context);
    const { caches, control, queue } = desk;
    const unwritten = new Unwritten();
    const sync = async (key: string): Promise<void> => {
      const deployment = caches.deployment(key);
      if (deployment && Object.keys(deployment.spec.selector).length === 0) {
        return control.refuseToSelectAll(deployment);
      }
      await parts.syncDeployment(desk, key).catch((error: unknown) => {
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
