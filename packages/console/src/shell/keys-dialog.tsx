import { Dialog } from "../design/dialog.tsx";
import { keyNames } from "./keys.ts";

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2">
      {keyNames.map(({ keys, does }) => (
        <div key={does} className="col-span-2 grid grid-cols-subgrid">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="h-5 rounded-sm border border-edge bg-raised px-1.5 font-mono text-sm"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd className="text-muted">{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
