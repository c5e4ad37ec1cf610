/**
 * Networks of pods that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that are easy
 * to take. `cni#`, `cnip#`, `fl#` and `k#` are issues of containernetworking/cni, containernetworking/plugins, flannel-io/flannel and
 * kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { agent } from './mistakes/agent.ts';
import { agentAlone } from './mistakes/agent-alone.ts';
import { commands } from './mistakes/commands.ts';
import { plugin } from './mistakes/plugin.ts';
import { pluginAlone } from './mistakes/plugin-alone.ts';
import { rules } from './mistakes/rules.ts';

/** Whatever shows in a cluster dies of the laws and the end to end alone. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...plugin,
  ...pluginAlone,
  ...commands,
  ...rules,
  ...agent,
  ...agentAlone,
];
