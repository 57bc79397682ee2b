# One file operation in the session's container, for container-files.ts. Standard input: arguments that each end with NUL,
# then content. Standard output: a line "ok …" or "no CODE", then bytes.
# No link is followed: each part of a path is looked at before it is gone into. Nothing can change in between, because the
# commands of a workspace take turns and all processes of one are killed at its end.
set -u -o noclobber
LC_ALL=C

no() {
  printf 'no %s\n' "$1"
  exit 0
}

# What a program complained of, as the code that the system gave it.
explain() {
  case $1 in
    *'No space left on device'*) no ENOSPC ;;
    *'quota exceeded'*) no EDQUOT ;;
    *'Permission denied'*) no EACCES ;;
    *'Operation not permitted'*) no EPERM ;;
    *'Read-only file system'*) no EROFS ;;
    *'File name too long'*) no ENAMETOOLONG ;;
    *'File too large'*) no EFBIG ;;
    *'File exists'*) no EEXIST ;;
    *'No such file or directory'*) no ENOENT ;;
    *'Not a directory'*) no ENOTDIR ;;
    *'Is a directory'*) no EISDIR ;;
    *'Too many levels of symbolic links'*) no ELOOP ;;
    *) no "ESCRIPT $1" ;;
  esac
}

take() { IFS= read -r -d '' "$1" || no 'ESCRIPT an argument is missing'; }

# Goes to the folder of a path and leaves the last part in $name.
enter() {
  local rest=$1 part
  while [[ $rest == */* ]]; do
    part=./${rest%%/*} rest=${rest#*/}
    [[ -L $part ]] && no ENOTDIR
    if [[ ! -e $part ]]; then
      [[ $2 == create ]] || no ENOENT
      complaint=$(mkdir -m 755 -- "$part" 2>&1) || explain "$complaint"
    fi
    [[ -d $part ]] || no ENOTDIR
    cd -P -- "$part" 2>/dev/null || no EACCES
  done
  name=./$rest
}

# A file that is there: its rights, names and size.
look() {
  [[ -L $name ]] && no ELOOP
  [[ -d $name ]] && no EISDIR
  [[ -e $name ]] || return 1
  [[ -f $name ]] || no EIRREGULAR
  read -r mode names size < <(stat -c '%a %h %s' -- "$name" 2>/dev/null) || no ECHANGED
}

read_file() {
  take path && take most
  enter "$path" keep
  look || no ENOENT
  ((names == 1)) || no EHARDLINK
  [[ -r $name ]] || no EACCES
  printf 'ok\n'
  exec head -c "$((most + 1))" -- "$name"
}

# Whether a file may be read, for many of them without a process for each.
is_plain() {
  local at=. rest=$1
  while [[ $rest == */* ]]; do
    at+=/${rest%%/*} rest=${rest#*/}
    [[ -L $at || ! -d $at ]] && return 1
  done
  at+=/$rest
  [[ ! -L $at && -f $at && -r $at ]]
}

read_many() {
  take most_file && take most_all
  local paths=() plain=() places=() chosen=() head='' total=0 looked=0 at index
  mapfile -t -d '' paths
  for at in "${!paths[@]}"; do
    is_plain "${paths[at]}" || continue
    plain+=("./${paths[at]}")
    places+=("$at")
  done
  looked=${#paths[@]}
  if ((${#plain[@]} > 0)); then
    mapfile -t found < <(stat -c '%h %s' -- "${plain[@]}")
    ((${#found[@]} == ${#plain[@]})) || no ECHANGED
    for index in "${!plain[@]}"; do
      read -r names size <<< "${found[index]}"
      ((names == 1 && size <= most_file)) || continue
      if ((${#chosen[@]} > 0 && total + size > most_all)); then
        looked=${places[index]}
        break
      fi
      total=$((total + size))
      chosen+=("${plain[index]}")
      head+="${places[index]} $size"$'\n'
    done
  fi
  printf 'ok %s\n%s\n' "$looked" "$head"
  ((${#chosen[@]} == 0)) || exec cat -- "${chosen[@]}"
}

replace_file() {
  take path && take expected && take temporary && take length
  case $expected in
    any | absent) enter "$path" create ;;
    *) enter "$path" keep ;;
  esac
  local existed=0 mode=644 names=1 size=0 sum
  look && existed=1
  case $expected in
    any) ;;
    absent) ((existed == 0)) || no ECHANGED ;;
    *)
      ((existed == 1)) || no ECHANGED
      ((names == 1)) || no EHARDLINK
      [[ -r $name ]] || no EACCES
      sum=$(sha256sum < "$name")
      [[ ${sum%% *} == "$expected" ]] || no ECHANGED
      ;;
  esac
  temporary=./$temporary
  complaint=$({ write_temporary; } 2>&1) && return_existed "$existed"
  rm -f -- "$temporary"
  explain "$complaint"
}

write_temporary() {
  cat > "$temporary" || return 1
  [[ $(stat -c %s -- "$temporary") == "$length" ]] || { echo 'the content is cut off' && return 1; }
  chmod "$(printf %o "$((8#$mode & 8#777))")" -- "$temporary" && sync -d -- "$temporary" && mv -fT -- "$temporary" "$name"
}

return_existed() {
  printf 'ok %s\n' "$1"
  exit 0
}

append_file() {
  take path && take most && take length
  enter "$path" create
  local existed=0 mode=644 names=1 size=0
  look && existed=1
  ((names == 1)) || no EHARDLINK
  ((size + length <= most)) || no EFBIG
  complaint=$({ cat >> "$name"; } 2>&1) && return_existed "$existed"
  explain "$complaint"
}

stat_entry() {
  take path
  enter "$path" keep
  [[ -L $name || -e $name ]] || no ENOENT
  printf 'ok\n'
  exec stat --printf='%f %s %.3Y' -- "$name"
}

list_folder() {
  take path && take depth && take most
  enter "$path/." keep
  [[ -r . ]] || no EACCES
  printf 'ok\n'
  find . -mindepth 1 -maxdepth "$depth" \( -iname .git -o -iname .env -o -iname .ssh \) -prune -o \
    -printf '%y %s %T@ %P\0' 2>/dev/null | head -z -n "$((most + 1))"
}

take action
case $action in
  read) read_file ;;
  many) read_many ;;
  replace) replace_file ;;
  append) append_file ;;
  stat) stat_entry ;;
  list) list_folder ;;
  *) no "ESCRIPT there is no action $action" ;;
esac
