# Read by `graphdb` and `graphdb-server`, which set `self` (the script, symbolic links resolved) and `program` (cli or server).
#
# It becomes Node 24 running src/$program/main.ts in a checkout or dist/$program/main.js in the packed package, by exec: the process
# that the user started is the process that gets the signals. The Node is the one that npm installed beside this package or above it, else
# the first on PATH; an older one does not count.

root=$(CDPATH='' cd -- "$(dirname -- "$self")/.." && pwd -P) || exit 1

new_enough() {
  case $(NODE_OPTIONS= "$1" --version 2>/dev/null) in
    v2[4-9].* | v[3-9][0-9].* | v[1-9][0-9][0-9].*) return 0 ;;
    *) return 1 ;;
  esac
}

find_node() {
  folder=$root
  while :; do
    node=${folder%/}/node_modules/node/bin/node
    [ -x "$node" ] && new_enough "$node" && return 0
    [ "$folder" = / ] && break
    folder=$(dirname -- "$folder")
  done
  node=$(command -v node) && new_enough "$node"
}

if ! find_node; then
  echo "$(basename -- "$self"): needs Node 24 or newer: put one on PATH, or install one beside the package ('npm install node@24'; in a checkout 'npm ci' brings it)" >&2
  exit 1
fi

# The server's heap may take half of the memory of the container or the machine, unless the user says otherwise; V8's own default is 4 GB at most. Node has the option since 24.10 at the latest.
heap=
if [ "$program" = server ]; then
  case $(NODE_OPTIONS= "$node" --version) in
    v24.[0-9].*) ;;
    *) case ${NODE_OPTIONS-} in *max-old-space-size* | *max_old_space_size*) ;; *) heap=--max-old-space-size-percentage=50 ;; esac ;;
  esac
fi

# A minor collection copies what lives of the young heap in one turn of the event loop. V8 lets it grow with the memory of the machine, to
# 64 MiB a half: 80 to 140 ms in a turn while a statement holds rows. 16 MiB a half take 25.
young=
if [ "$program" = server ]; then
  case ${NODE_OPTIONS-} in *max-semi-space-size* | *max_semi_space_size*) ;; *) young=--max-semi-space-size=16 ;; esac
fi

entry=$root/src/$program/main.ts
[ -f "$entry" ] || entry=$root/dist/$program/main.js
exec "$node" ${heap:+"$heap"} ${young:+"$young"} "$entry" "$@"
