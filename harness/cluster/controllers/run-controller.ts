import type { Component } from '../../contracts/component.ts';
import type { Cluster } from '../cluster.ts';
import { type ComponentName, processOf } from '../component-table.ts';
import type { Process } from '../process.ts';
import { startingWith } from '../starting-with.ts';

/** Runs a component of the cluster as its process, when there is an object for it. */
export function runController(cluster: Cluster, part: ComponentName): Process {
  const { name, startsWith } = processOf(part);
  const component: Component = (context) => cluster.component(part)(context);
  return cluster.run(
    name,
    startsWith ? startingWith(startsWith, { storage: cluster.storage, component }) : component,
  );
}
