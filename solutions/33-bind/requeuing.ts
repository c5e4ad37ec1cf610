/** Level 2 · Which events wake which pods. */
import { scheduling } from '#given/33-bind';
import { framework, type Node, type Pod } from '#harness';

export function isPodWorthRequeuing(
  info: Pick<scheduling.QueuedPodInfo, 'pod' | 'unschedulablePlugins'>,
  event: framework.ClusterEvent,
  oldObject: Pod | Node | undefined,
  newObject: Pod | Node | undefined,
  plugins: readonly scheduling.QueueingPlugin[],
): boolean {
  if (info.unschedulablePlugins.size === 0 || scheduling.isWildcard(event)) return true;
  return plugins.some(
    (plugin) =>
      info.unschedulablePlugins.has(plugin.name) &&
      plugin
        .eventsToRegister()
        .some(
          ({ event: registered, queueingHintFn }) =>
            framework.matches(registered, event) && couldHelp(info.pod, oldObject, newObject, queueingHintFn),
        ),
  );
}

function couldHelp(
  pod: Pod,
  oldObject: Pod | Node | undefined,
  newObject: Pod | Node | undefined,
  queueingHintFn: framework.QueueingHintFn = () => 'Queue',
): boolean {
  try {
    return queueingHintFn(pod, oldObject, newObject) === 'Queue';
  } catch {
    // A useless retry is cheap; a missed one could cost five minutes.
    return true;
  }
}
