let = 1;;
