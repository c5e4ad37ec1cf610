import type { Components } from '../../contracts/component.ts';
import { openHandler } from './front.fixture.ts';
import { testWebhooks } from './webhooks.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testWebhooks(() => openHandler(components));
