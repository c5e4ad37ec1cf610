import { texts } from '../texts.ts';

export type TabName = keyof typeof texts.tabs;

const names = Object.keys(texts.tabs) as TabName[];

/** The tabs of a narrow window, which has room for one part of the page at a time. */
export function TabBar({ tab, onTab }: { readonly tab: TabName; readonly onTab: (tab: TabName) => void }) {
  return (
    <nav class="tab-bar">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-current={name === tab ? 'page' : undefined}
          onClick={() => onTab(name)}
        >
          {texts.tabs[name]}
        </button>
      ))}
    </nav>
  );
}
