/**
 * Wrong pod networks, each made by one or two edits of the reference: real bugs of released versions, and other likely
 * errors. `cni#`, `cnip#`, `fl#` and `k#` are issues of containernetworking/cni, containernetworking/plugins,
 * flannel-io/flannel and kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';
import { agent } from './mistakes/agent.ts';
import { agentAlone } from './mistakes/agent-alone.ts';
import { commands } from './mistakes/commands.ts';
import { plugin } from './mistakes/plugin.ts';
import { pluginAlone } from './mistakes/plugin-alone.ts';
import { rules } from './mistakes/rules.ts';

/** The laws and the end-to-end test alone kill each mistake that is visible in a cluster. */
export const lawsSuffice = true;

export const mistakes: readonly Mistake[] = [
  ...plugin,
  ...pluginAlone,
  ...commands,
  ...rules,
  ...agent,
  ...agentAlone,
];
