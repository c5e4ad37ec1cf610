import { canI } from './auth/can-i.ts';
import { whoAmI } from './auth/whoami.ts';
import { apiResources } from './cluster/api-resources.ts';
import { events } from './cluster/events.ts';
import { topNodes, topPods } from './cluster/top.ts';
import { clusterInfo, version } from './cluster/version.ts';
import { wait } from './cluster/wait.ts';
import type { Command } from './command.ts';
import { describe } from './describe/describe.ts';
import { diff } from './diff/diff.ts';
import { get } from './get.ts';
import { curl } from './pods/curl.ts';
import { exec } from './pods/exec.ts';
import { logs } from './pods/logs.ts';
import { run } from './pods/run.ts';
import {
  rolloutHistory,
  rolloutPause,
  rolloutRestart,
  rolloutResume,
  rolloutUndo,
} from './rollout/commands.ts';
import { rolloutStatus } from './rollout/status.ts';
import { apply } from './write/apply.ts';
import { create, createConfigMap, createDeployment, createNamespace } from './write/create.ts';
import { createCronJob, createJob } from './write/create-job.ts';
import {
  createClusterRole,
  createClusterRoleBinding,
  createRole,
  createRoleBinding,
} from './write/create-roles.ts';
import { createServiceAccount, createToken } from './write/create-service-account.ts';
import { remove } from './write/delete.ts';
import { expose } from './write/expose.ts';
import { annotate, label } from './write/label.ts';
import { viewLastApplied } from './write/last-applied.ts';
import { cordon, drain, taint, uncordon } from './write/nodes.ts';
import { patch } from './write/patch.ts';
import { scale } from './write/scale.ts';
import { setImage } from './write/set-image.ts';

/** Every command, in the order of the overview. */
export const commands: readonly Command[] = [
  get,
  describe,
  events,
  logs,
  exec,
  topPods,
  topNodes,
  wait,
  canI,
  whoAmI,
  apply,
  viewLastApplied,
  diff,
  create,
  createDeployment,
  createJob,
  createCronJob,
  createNamespace,
  createConfigMap,
  createServiceAccount,
  createToken,
  createRole,
  createRoleBinding,
  createClusterRole,
  createClusterRoleBinding,
  run,
  expose,
  remove,
  scale,
  setImage,
  patch,
  label,
  annotate,
  rolloutStatus,
  rolloutHistory,
  rolloutUndo,
  rolloutRestart,
  rolloutPause,
  rolloutResume,
  cordon,
  uncordon,
  drain,
  taint,
  apiResources,
  version,
  clusterInfo,
  curl,
];

/** The names of the commands, with their aliases. */
export const commandNames: readonly string[] = commands.flatMap(({ name, aliases = [] }) => [
  name,
  ...aliases,
]);

const byName = new Map(
  commands.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command])),
);

/** Returns the command of a name or an alias. */
export function commandNamed(name: string): Command | undefined {
  return byName.get(name);
}
