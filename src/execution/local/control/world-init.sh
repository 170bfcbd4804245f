#!/bin/bash
# Is process 1 of the world, whose end kills everything in it. It has rights that the check has not, so that the check can neither trace
# it nor open its files. After the check it runs no program: the check may have exchanged them. Its parameters are open files: 5 lists
# the directory, the rights, the environment, the programs and the lent places, 8 is the text of the check, and 3 is where it reports.
trap 'missing=1' USR1
missing=0 absent= file=
PATH=/usr/sbin:/usr/bin:/sbin:/bin
rm -f /dev/init /dev/systemd
mapfile -t -d '' given <&5
exec 5<&-
directory=${given[0]} rights=${given[1]} n=${given[2]}
env=("${given[@]:3:n}") rest=("${given[@]:3+n}")
n=${rest[0]}
programs=("${rest[@]:1:n}") lent=("${rest[@]:1+n}")
for item in "${env[@]}"; do case $item in PATH=*) PATH=${item#*=} ;; esac; done
for program in "${programs[@]}"; do
  case $program in
    */*) [[ -x $program ]] || absent+=" ${program##*/}"; continue ;;
  esac
  type -t -- "$program" >/dev/null || { absent+=" $program"; continue; }
  hash -- "$program" 2>/dev/null || continue
  for place in "${lent[@]}"; do
    file=${BASH_CMDS[$program]-}
    [[ $file == "$place"/* ]] && read -rN2 start <"$file" && [[ $start == '#!' ]] && absent+=" $program"
  done
done 2>/dev/null
cd -- "$directory" || exit
echo began >&3
/usr/bin/setpriv --no-new-privs --bounding-set "$rights" --inh-caps -all --ambient-caps -all /usr/bin/env -i "${env[@]}" \
  /bin/bash --noprofile --norc -p -o pipefail -c '. /dev/fd/8; eval "$REPLY"' </dev/null 3>&-
code=$?
:
names=
while read -r -t 1 name && ((${#names} < 200)); do names+=" $name"; done 2>/dev/null </run/motd.dynamic
echo "ended $code $missing" >&3
echo "absent$absent" >&3
echo "names $names" >&3
exit 0
